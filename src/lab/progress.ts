import { printable, printableLines } from "../foundation/printable.js";

const { stderr } = process;

/** Prints a line for each run: its result, how many are done and the time left. A terminal also shows what runs now. */
export class Progress {
  /** 0 while it is unknown. */
  #total = 0;
  #done = 0;
  #began = performance.now();
  /** The names of the current runs, and when they began. */
  readonly #current = new Map<string, number>();

  /** Begins to count anew. @param total how many runs there are */
  beginStage(total: number): void {
    this.#total = total;
    this.#done = 0;
    this.#began = performance.now();
  }

  /** Sets how many runs will follow the current ones. */
  expect(more: number): void {
    this.#total = this.#done + this.#current.size + more;
  }

  begin(name: string): void {
    this.#current.set(name, performance.now());
    this.#write("");
  }

  done(name: string, result: string): void {
    const now = performance.now();
    const took = `${((now - (this.#current.get(name) ?? now)) / 1000).toFixed(1)} s`;
    this.#current.delete(name);
    this.#done++;
    const count = this.#total === 0 ? "" : `${this.#done}/${this.#total} `;
    const more = this.#total - this.#done;
    const leftMs = (more * (now - this.#began)) / this.#done;
    const left = more <= 0 ? "" : `, about ${Math.ceil(leftMs / 1000)} s left`;
    this.#write(`${count}${name} ${result} (${took}${left})\n`);
  }

  /** Prints lines between those of the runs. */
  print(lines: readonly string[]): void {
    this.#write(lines.map((line) => `${line}\n`).join(""));
  }

  /** Removes what runs now from a terminal. Call it before other output. */
  clear(): void {
    if (stderr.isTTY) stderr.write("\r\x1b[K");
  }

  #write(text: string): void {
    this.clear();
    stderr.write(printableLines(text));
    // A line that wraps cannot be removed. A terminal of unknown width has 0 columns.
    const width = (stderr.columns || 120) - 1;
    if (stderr.isTTY) stderr.write(printable([...this.#current.keys()].join(", ")).slice(0, width));
  }
}

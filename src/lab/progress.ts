import { printable, printableLines } from "../foundation/printable.js";

const { stderr } = process;

/** Prints a line for each run: its result, how many are done and the time left. A terminal also shows what runs now. */
export class Progress {
  /** 0 while it is unknown. */
  #total = 0;
  #done = 0;
  readonly #began = performance.now();
  /** The names of the current runs, and when they began. */
  readonly #current = new Map<string, number>();

  /** There will be at least so many runs, with those that are done. */
  expect(total: number): void {
    this.#total = Math.max(this.#total, total);
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

  /** Prints a line between those of the runs. */
  print(line: string): void {
    this.#write(`${line}\n`);
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

/** In a pipe, a line is printed after this time. */
const intervalMs = 10_000;

type Output = Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">;

/** Shows what is asked now: at once in a terminal, and one line in ten seconds elsewhere. */
export class StepProgress {
  #done = 0;
  #printed = performance.now();
  readonly #total: number;
  readonly #stream: Output;

  constructor(total: number, stream: Output = process.stderr) {
    this.#total = total;
    this.#stream = stream;
  }

  readonly begin = (prefix: string): void => {
    this.#stream.write(`The names and ids of this run begin with ${prefix}.\n`);
  };

  readonly step = (what: string): void => {
    this.#done = Math.min(this.#done + 1, this.#total);
    const line = `${this.#done}/${this.#total} ${what}`;
    if (this.#stream.isTTY) {
      this.clear();
      // A line that wraps cannot be removed. A terminal of unknown width has 0 columns.
      this.#stream.write(line.slice(0, (this.#stream.columns || 120) - 1));
    } else if (performance.now() - this.#printed >= intervalMs) {
      this.#printed = performance.now();
      this.#stream.write(`${line}\n`);
    }
  };

  /** Removes what is asked now from a terminal. Call it before other output. */
  clear(): void {
    if (this.#stream.isTTY) this.#stream.write("\r\x1b[K");
  }
}

const { stderr } = process;

/** Prints a line for each run: its result, how many are done and the time left. A terminal also shows what runs now. */
export class Progress {
  readonly #isEstimate: boolean;
  /** 0 while it is unknown. */
  #total = 0;
  #done = 0;
  readonly #began = performance.now();
  /** The names of the current runs, and when they began. */
  readonly #current = new Map<string, number>();

  /** @param isEstimate whether the number of runs depends on what they show */
  constructor(isEstimate: boolean) {
    this.#isEstimate = isEstimate;
  }

  /** Sets how many runs will follow the current ones. An estimate does not become smaller. */
  expect(more: number): void {
    const total = this.#done + this.#current.size + more;
    this.#total = this.#isEstimate ? Math.max(this.#total, total) : total;
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
    // `3/20 ` or `3/about 20 `
    const count = `${this.#done}/${this.#isEstimate ? "about " : ""}${this.#total} `;
    const more = this.#total - this.#done;
    const leftMs = (more * (now - this.#began)) / this.#done;
    const left = more <= 0 ? "" : `, about ${Math.ceil(leftMs / 1000)} s left`;
    this.#write(`${this.#total === 0 ? "" : count}${name} ${result} (${took}${left})\n`);
  }

  /** Removes what runs now from a terminal. Call it before other output. */
  clear(): void {
    if (stderr.isTTY) stderr.write("\r\x1b[K");
  }

  #write(line: string): void {
    this.clear();
    stderr.write(line);
    // A line that wraps cannot be removed. A terminal of unknown width has 0 columns.
    const width = (stderr.columns || 120) - 1;
    if (stderr.isTTY) stderr.write([...this.#current.keys()].join(", ").slice(0, width));
  }
}

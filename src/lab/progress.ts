const { stderr } = process;

/** Prints a line for each run: its result, how many are done and the time left. A terminal also shows what runs now. */
export class Progress {
  #total: number;
  #done = 0;
  readonly #began = performance.now();
  /** The names of the current runs, and when they began. */
  readonly #current = new Map<string, number>();

  constructor(runs: number) {
    this.#total = runs;
  }

  /** Sets how many runs will follow the current ones. */
  expect(more: number): void {
    this.#total = this.#done + this.#current.size + more;
  }

  begin(name: string): void {
    this.#current.set(name, performance.now());
    this.#showCurrent();
  }

  done(name: string, result: string): void {
    const began = this.#current.get(name) ?? performance.now();
    const took = `${((performance.now() - began) / 1000).toFixed(1)} s`;
    this.#current.delete(name);
    this.#done++;
    this.clear();
    stderr.write(`${this.#done}/${this.#total} ${name} ${result} (${took}${this.#left()})\n`);
    this.#showCurrent();
  }

  /** Removes what runs now from a terminal. Call it before other output. */
  clear(): void {
    if (stderr.isTTY) stderr.write("\r\x1b[K");
  }

  #showCurrent(): void {
    if (!stderr.isTTY) return;
    this.clear();
    // A line that wraps cannot be removed. A terminal of unknown width has 0 columns.
    const width = (stderr.columns || 120) - 1;
    stderr.write([...this.#current.keys()].join(", ").slice(0, width));
  }

  #left(): string {
    const more = this.#total - this.#done;
    if (more <= 0) return "";
    const meanMs = (performance.now() - this.#began) / this.#done;
    return `, about ${Math.ceil((more * meanMs) / 1000)} s left`;
  }
}

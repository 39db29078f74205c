/** How often a bar is drawn. */
const drawEveryMs = 250;

const removeBar = "\r\x1b[K";

const { stderr } = process;

/** Shows the current runs, how many are done and the time left: a bar on a terminal, otherwise a line for each run. */
export class Progress {
  readonly #isEstimate: boolean;
  /** 0 while it is unknown. */
  #total = 0;
  #done = 0;
  readonly #began = performance.now();
  /** The names of the current runs, and when they began. */
  readonly #current = new Map<string, number>();
  #drawing: NodeJS.Timeout | undefined;

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
    if (!stderr.isTTY) return;
    this.#drawBar();
    this.#drawing ??= setInterval(() => this.#drawBar(), drawEveryMs).unref();
  }

  done(name: string, result: string): void {
    const began = this.#current.get(name) ?? performance.now();
    const took = `${((performance.now() - began) / 1000).toFixed(1)} s`;
    this.#current.delete(name);
    this.#done++;
    if (stderr.isTTY) this.#drawBar(`${name} ${result}`);
    else stderr.write(`${this.#count()}${name} ${result} (${took}${this.#left()})\n`);
  }

  /** Prints a line above the bar, which is drawn again soon. */
  note(line: string): void {
    stderr.write(`${stderr.isTTY ? removeBar : ""}${line}\n`);
  }

  /** Removes the bar. Call it before other output. */
  clear(): void {
    clearInterval(this.#drawing);
    this.#drawing = undefined;
    if (stderr.isTTY) stderr.write(removeBar);
  }

  #drawBar(text?: string): void {
    const seconds = (since: number) => Math.round((performance.now() - since) / 1000);
    const words = text ?? [...this.#current].map(([name, since]) => `${name} ${seconds(since)} s`).join(", ");
    const filled = Math.round((this.#done / (this.#total || 1)) * 30);
    const bar = `${"█".repeat(filled)}${"░".repeat(30 - filled)} ${this.#count()}`;
    // A bar that wraps to a second line cannot be removed. A terminal of unknown width has 0 columns.
    const width = Math.max((stderr.columns || 120) - 1 - bar.length - this.#left().length, 1);
    const clipped = words.length > width ? `${words.slice(0, width - 1)}…` : words;
    stderr.write(`${removeBar}${bar}${clipped}${this.#left()}`);
  }

  /** `3/20 ` or `3/about 20 ` */
  #count(): string {
    if (this.#total === 0) return "";
    return `${this.#done}/${this.#isEstimate ? "about " : ""}${this.#total} `;
  }

  #left(): string {
    const more = this.#total - this.#done;
    if (more <= 0 || this.#done === 0) return "";
    const meanMs = (performance.now() - this.#began) / this.#done;
    return `, about ${Math.ceil((more * meanMs) / 1000)} s left`;
  }
}

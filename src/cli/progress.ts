/** How often a bar is drawn. */
const drawEveryMs = 250;

const removeBar = "\r\x1b[K";

const { stderr } = process;

/** Shows what runs now, how far it is and how long it will take: a bar on a terminal, otherwise a line for each run. */
export class Progress {
  #total: number;
  #done = 0;
  #atOnce = 1;
  #meanMs = 0;
  /** The names of the runs that are under way, and when they began. */
  readonly #underWay = new Map<string, number>();
  #drawing: NodeJS.Timeout | undefined;

  constructor(runs: number) {
    this.#total = runs;
  }

  /** How many more runs there will be, and how many at once. */
  expect(more: number, atOnce: number): void {
    this.#total = this.#done + this.#underWay.size + more;
    this.#atOnce = atOnce;
  }

  begin(name: string): void {
    this.#underWay.set(name, performance.now());
    if (!stderr.isTTY) return;
    const draw = () => {
      const running = [...this.#underWay].map(
        ([run, since]) => `${run} ${Math.round((performance.now() - since) / 1000)} s`,
      );
      this.#drawBar(running.join(", "));
    };
    draw();
    this.#drawing ??= setInterval(draw, drawEveryMs).unref();
  }

  done(name: string, result: string): void {
    const now = performance.now();
    const durationMs = now - (this.#underWay.get(name) ?? now);
    this.#underWay.delete(name);
    this.#done++;
    this.#meanMs = this.#meanMs === 0 ? durationMs : this.#meanMs * 0.8 + durationMs * 0.2;
    if (stderr.isTTY) this.#drawBar(`${name} ${result}`);
    else {
      const took = `${(durationMs / 1000).toFixed(1)} s${this.#left()}`;
      stderr.write(`${this.#done}/${this.#total} ${name} ${result} (${took})\n`);
    }
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

  #drawBar(words: string): void {
    const filled = Math.round((this.#done / this.#total) * 30);
    const bar = `${"█".repeat(filled)}${"░".repeat(30 - filled)} ${this.#done}/${this.#total} `;
    // A bar that wraps to a second line cannot be removed. A terminal of unknown width has 0 columns.
    const room = Math.max((stderr.columns || 120) - 1 - bar.length - this.#left().length, 1);
    const clipped = words.length > room ? `${words.slice(0, room - 1)}…` : words;
    stderr.write(`${removeBar}${bar}${clipped}${this.#left()}`);
  }

  #left(): string {
    const more = this.#total - this.#done;
    if (this.#total === 1 || more <= 0 || this.#meanMs === 0) return "";
    return `, about ${Math.ceil((more * this.#meanMs) / this.#atOnce / 1000)} s left`;
  }
}

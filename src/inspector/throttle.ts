/** Long enough to render a burst of events once. */
const defaultMs = 40;

/** Limits how often work of a name runs: it waits five times as long as the last run took. */
export class Throttle {
  readonly #waiting = new Set<string>();
  /** How long the last run took, in milliseconds. */
  readonly #durations = new Map<string, number>();

  run(name: string, work: () => Promise<void>, minMs = defaultMs): void {
    if (this.#waiting.has(name)) return;
    this.#waiting.add(name);
    const waitMs = Math.max(minMs, 5 * (this.#durations.get(name) ?? 0));
    setTimeout(async () => {
      this.#waiting.delete(name);
      const began = performance.now();
      await work();
      this.#durations.set(name, performance.now() - began);
    }, waitMs);
  }
}

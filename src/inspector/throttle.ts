/** A burst of events is rendered once. */
const usualMs = 40;

/** Runs work of a name not too often: it waits five times as long as the work took the last time. */
export class Throttle {
  readonly #waiting = new Set<string>();
  /** How long the last run took, in milliseconds. */
  readonly #durations = new Map<string, number>();

  run(name: string, work: () => Promise<void>, leastMs = usualMs): void {
    if (this.#waiting.has(name)) return;
    this.#waiting.add(name);
    const waitMs = Math.max(leastMs, 5 * (this.#durations.get(name) ?? 0));
    setTimeout(async () => {
      this.#waiting.delete(name);
      const began = performance.now();
      await work();
      this.#durations.set(name, performance.now() - began);
    }, waitMs);
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { NoResponse } from "./not-determinable.js";

/** How long a run waits, and how often it tries. */
export const usualPatience = {
  /** The longest time for one exchange. */
  timeoutMs: 10_000,
  /** The most attempts for one question. */
  attempts: 4,
  /** The pause before the second attempt. It doubles before each further attempt. */
  backoffMs: 1_000,
  /** After this time, nothing is tried again. */
  totalMs: 600_000,
};

export type Patience = Readonly<typeof usualPatience>;

/** Repeats what got no usable response, as long as the patience of a run lasts. */
export class Retries {
  readonly #patience: Patience;
  readonly #signal: AbortSignal | undefined;
  readonly #began = performance.now();

  constructor(patience: Patience, signal: AbortSignal | undefined) {
    this.#patience = patience;
    this.#signal = signal;
  }

  /** Throws the last error, with the number of attempts in its message, if no attempt succeeded. */
  async send<Result>(
    send: () => Promise<Result>,
    canRepeat: (error: NoResponse) => boolean,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof NoResponse) || !canRepeat(error)) throw error;
        const pauseMs = this.#pauseAfter(error, attempt);
        if (attempt >= this.#patience.attempts || this.#endsWithin(pauseMs)) throw error.after(attempt);
        await sleep(pauseMs, undefined, { signal: this.#signal });
      }
    }
  }

  #pauseAfter({ response }: NoResponse, attempt: number): number {
    const retryAfterMs = Number(response?.retryAfter) * 1000 || 0;
    return Math.max(retryAfterMs, this.#patience.backoffMs * 2 ** (attempt - 1));
  }

  #endsWithin(pauseMs: number): boolean {
    return performance.now() + pauseMs > this.#began + this.#patience.totalMs;
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { counted } from "../../../foundation/grammar.js";
import { NoResponse } from "./not-determinable.js";

/** How long a run waits, and how often it tries. */
export const usualPatience = {
  /** The longest time for one exchange. */
  timeoutMs: 10_000,
  /** The most attempts for one probe. */
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

  /** @param canRepeat an error must not be repeated by two calls, one in the other: its message has the attempts */
  async send<Result>(
    send: () => Promise<Result>,
    canRepeat: (error: NoResponse) => boolean,
  ): Promise<Result> {
    const { attempts, backoffMs, totalMs } = this.#patience;
    for (let attempt = 1; ; attempt++) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof NoResponse) || !canRepeat(error)) throw error;
        const retryAfterMs = Number(error.retryAfter) * 1000 || 0;
        const pauseMs = Math.max(retryAfterMs, backoffMs * 2 ** (attempt - 1));
        error.message += `, after ${counted(attempt, "attempt")}`;
        const isLate = performance.now() + pauseMs > this.#began + totalMs;
        if (attempt >= attempts || isLate) throw error;
        await sleep(pauseMs, undefined, { signal: this.#signal });
      }
    }
  }
}

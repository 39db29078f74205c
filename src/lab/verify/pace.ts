import { setTimeout as sleep } from "node:timers/promises";

/**
 * A request without a usable response: the connection broke, nothing came in time, or a proxy or an overloaded service
 * responded. It proves nothing about the service, and the request may have taken effect.
 */
export class TransientFailure extends Error {
  readonly status: number | undefined;
  /** How long the service asks clients to wait. */
  readonly retryAfterMs: number;

  constructor(message: string, status?: number, retryAfterMs = 0) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** How long a run waits, and how often it tries. */
export const usualPatience = {
  /** The longest time for one request. */
  timeoutMs: 10_000,
  /** The most attempts for one fact or question. */
  attempts: 4,
  /** The pause before the second attempt. It doubles before each further attempt. */
  backoffMs: 1_000,
  /** The longest time that failed attempts and pauses may take in total. */
  totalMs: 300_000,
};

export type Patience = Readonly<typeof usualPatience>;

export interface PaceOptions {
  readonly patience?: Patience | undefined;
  /** Is called before a pause. */
  readonly onWait?: ((ms: number, why: string) => void) | undefined;
}

/** All attempts failed, or there was no time for more. The message is the reason. */
export class NoResponse extends Error {}

/** Decides when a request is sent, and when an attempt is repeated. */
export class Pace {
  readonly #options: PaceOptions;
  readonly #patience: Patience;
  /** The time between two requests, once the service has responded with 429. */
  #spacingMs = 0;
  /** When the next request may be sent. */
  #nextAt = 0;
  /** The time that failed attempts and pauses may still take. */
  #leftMs: number;
  /** Why no more requests are sent. */
  #stopped: string | undefined;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#patience = options.patience ?? usualPatience;
    this.#leftMs = this.#patience.totalMs;
  }

  /** Waits until the next request may be sent. Returns how long that request may take. */
  async next(): Promise<number> {
    if (this.#stopped !== undefined) throw new NoResponse(this.#stopped);
    const waitMs = this.#nextAt - performance.now();
    if (waitMs > 0) await sleep(Math.ceil(waitMs));
    this.#nextAt = performance.now() + this.#spacingMs;
    return Math.min(this.#patience.timeoutMs, this.#leftMs);
  }

  /**
   * Repeats the whole probe after a transient failure. The failed request may have taken effect, so a probe must create
   * its own groups each time.
   */
  async attempt<Result>(probe: () => Promise<Result>): Promise<Result> {
    const { attempts, backoffMs, totalMs } = this.#patience;
    for (let attempt = 1; ; attempt++) {
      const began = performance.now();
      try {
        return await probe();
      } catch (error) {
        if (!(error instanceof TransientFailure)) throw error;
        const isLast = attempt >= attempts;
        const pauseMs = Math.max(error.retryAfterMs, isLast ? 0 : backoffMs * 2 ** (attempt - 1));
        this.#leftMs -= performance.now() - began + pauseMs;
        if (this.#leftMs <= 0) {
          this.#stopped = `${error.message}; verify stops after ${totalMs / 1000} s of failures`;
          throw new NoResponse(this.#stopped);
        }
        // Otherwise a probe of three requests never succeeds where two per second are allowed.
        if (error.status === 429) this.#spacingMs = backoffMs;
        if (pauseMs > 0) this.#options.onWait?.(pauseMs, error.message);
        await sleep(pauseMs);
        if (isLast) throw new NoResponse(`${error.message}, after ${attempt} attempts`);
      }
    }
  }
}

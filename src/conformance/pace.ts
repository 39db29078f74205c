import { setTimeout as sleep } from "node:timers/promises";

/**
 * A request without a usable response: the connection broke, nothing came in time, or a proxy or an overloaded service
 * responded. It says nothing about the service, and the request may have taken effect.
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
export interface Patience {
  /** The longest time for one request. */
  readonly timeoutMs: number;
  /** The most attempts for one fact or question. */
  readonly attempts: number;
  /** The pause before the second attempt. It doubles before each further attempt. */
  readonly backoffMs: number;
  /** The longest time for the run. The time that `rate` takes is added. */
  readonly totalMs: number;
}

export const usualPatience: Patience = {
  timeoutMs: 10_000,
  attempts: 4,
  backoffMs: 1_000,
  totalMs: 300_000,
};

export interface PaceOptions {
  readonly patience?: Patience | undefined;
  /** The most requests per second. */
  readonly rate?: number | undefined;
  /** Is called before a pause. */
  readonly onWait?: ((ms: number, why: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** All attempts failed, or there was no time for more. The message says why. */
export class NoResponse extends Error {}

/** Decides when a request is sent, and when an attempt is repeated. */
export class Pace {
  readonly #patience: Patience;
  readonly #onWait: PaceOptions["onWait"];
  readonly #signal: AbortSignal | undefined;
  /** The time between two requests that `rate` asks for. */
  readonly #rateMs: number;
  /** The same, made longer by each 429. */
  #spacingMs: number;
  #nextSlot = 0;
  #pausedUntil = 0;
  #pausedBy = "";
  #deadline: number;

  constructor({ patience = usualPatience, rate = Number.POSITIVE_INFINITY, onWait, signal }: PaceOptions) {
    this.#patience = patience;
    this.#onWait = onWait;
    this.#signal = signal;
    this.#rateMs = 1000 / rate;
    this.#spacingMs = this.#rateMs;
    this.#deadline = performance.now() + patience.totalMs;
  }

  /** Waits until the next request may be sent. Returns how long that request may take. */
  async next(): Promise<number> {
    this.#signal?.throwIfAborted();
    const now = performance.now();
    const ready = Math.max(now, this.#pausedUntil);
    const start = Math.max(ready, this.#nextSlot);
    this.#deadline += Math.min(start - ready, this.#rateMs);
    if (start >= this.#deadline) throw new NoResponse(this.#outOfTime());
    if (ready > now) this.#onWait?.(ready - now, this.#pausedBy);
    if (start > now) await sleep(Math.ceil(start - now), undefined, { signal: this.#signal });
    this.#nextSlot = start + this.#spacingMs;
    return Math.max(Math.min(this.#deadline - performance.now(), this.#patience.timeoutMs), 1);
  }

  /**
   * Repeats the whole probe after a transient failure. The failed request may have taken effect, so a probe must create
   * its own groups each time.
   */
  async attempt<Result>(probe: () => Promise<Result>): Promise<Result> {
    const { attempts, backoffMs } = this.#patience;
    for (let attempt = 1; ; attempt++) {
      try {
        return await probe();
      } catch (error) {
        if (!(error instanceof TransientFailure)) throw error;
        const isLast = attempt >= attempts;
        const pauseMs = Math.max(error.retryAfterMs, isLast ? 0 : backoffMs * 2 ** (attempt - 1));
        this.#pausedUntil = performance.now() + pauseMs;
        this.#pausedBy = error.message;
        const isTooFast = error.status === 429;
        if (isTooFast) this.#slowDown();
        if (isLast) {
          const advice = isTooFast ? "; try a lower --rate" : "";
          throw new NoResponse(`${error.message}, after ${attempt} attempts${advice}`);
        }
      }
    }
  }

  /** Without this, a probe of three requests never succeeds where two per second are allowed. */
  #slowDown(): void {
    const { backoffMs } = this.#patience;
    const slower = Math.max(2 * this.#spacingMs, backoffMs / 4);
    this.#spacingMs = Math.max(Math.min(slower, 2 * backoffMs), this.#rateMs);
  }

  #outOfTime(): string {
    const stops = `verify stops after ${this.#patience.totalMs / 1000} s`;
    return this.#pausedUntil >= this.#deadline ? `${this.#pausedBy}; ${stops}` : `no time left: ${stops}`;
  }
}

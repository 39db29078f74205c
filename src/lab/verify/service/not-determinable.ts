import { counted } from "../../../foundation/grammar.js";

/** The responses do not decide a question. The message is the reason. */
export class NotDeterminable extends Error {}

/** Ends a question without a value if a condition is not met. */
export function need(isMet: unknown, reason: string): asserts isMet {
  if (!isMet) throw new NotDeterminable(reason);
}

interface UnusableResponse {
  readonly status: number;
  readonly retryAfter?: string | undefined;
}

/** There was no usable response. That proves nothing about the service, and the request may have taken effect. */
export class NoResponse extends NotDeterminable {
  /** Undefined if no response arrived at all. */
  readonly response: UnusableResponse | undefined;

  constructor(reason: string, response?: UnusableResponse) {
    super(reason);
    this.response = response;
  }

  /** The service had too much to do, so the request had no effect. */
  get isThrottled(): boolean {
    return this.response?.status === 429;
  }

  after(attempts: number): NoResponse {
    return new NoResponse(`${this.message}, after ${counted(attempts, "attempt")}`, this.response);
  }
}

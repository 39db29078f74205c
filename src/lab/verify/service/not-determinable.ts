/** The responses do not decide a question. The message is the reason. */
export class NotDeterminable extends Error {}

/** Ends a probe without a value if a condition is not met. */
export function need(isMet: unknown, reason: string): asserts isMet {
  if (!isMet) throw new NotDeterminable(reason);
}

/** There was no usable response. That proves nothing about the service, and the request may have taken effect. */
export class NoResponse extends NotDeterminable {
  /** Undefined if no response arrived. */
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;

  constructor(
    reason: string,
    response?: { readonly status: number; readonly retryAfter?: string | undefined },
  ) {
    super(reason);
    this.status = response?.status;
    this.retryAfter = response?.retryAfter;
  }
}

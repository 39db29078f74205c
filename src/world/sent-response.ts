import type { BreakingKind } from "../contract/fault-kinds.js";
import type { Delivery } from "../generated/types.js";
import type { ServiceResponse } from "../service/respond.js";

/** The response of the service, with what a fault does to it. */
export interface SentResponse extends ServiceResponse {
  /** The kind of fault that breaks it off. By default, it is sent completely. */
  readonly broken?: BreakingKind;
}

/** What was sent over the wire. */
export interface Delivered {
  readonly delivery: Delivery;
  /** All headers; undefined if no byte was sent. */
  readonly headers?: Readonly<Record<string, string | number | readonly string[]>>;
  /** The body as far as it was sent, if it is not the complete body of the response. */
  readonly sentText?: string;
}

import type { FaultEffect } from "../contract/fault-effects.js";
import type { Delivery } from "../generated/types.js";
import type { Reply } from "../service/failures.js";

/**
 * How a fault breaks an answer. `status`: the answer is whole, but not the one of the service. `silent`: nothing is
 * ever sent.
 */
export type Breakage = FaultEffect | "silent";

/** The reply of the service, with what a fault does to it on its way. */
export interface PlannedResponse extends Reply {
  readonly fault?: Breakage;
  /** The answer is spread over so many milliseconds. */
  readonly dribbleMs?: number;
  /** Sent as it is, instead of the JSON of `body`. */
  readonly rawText?: string;
  /** Headers beside, or instead of, those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What really went over the wire. */
export interface Delivered {
  readonly delivery: Delivery;
  /** All headers; undefined when no byte was sent. */
  readonly headers?: Readonly<Record<string, string | number | readonly string[]>>;
  /** The body as far as it was sent, where it is not the whole one that the answer has; empty for none. */
  readonly sentText?: string;
  /** How long the rest took after the first byte, in milliseconds. */
  readonly receiveMs?: number;
}

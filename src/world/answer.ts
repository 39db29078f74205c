import type { Reply } from "../service/failures.js";

/** How a fault breaks an answer; `status`: the answer is whole, but not the one of the service. */
export type Breakage = "status" | "reset" | "empty" | "truncate" | "malformed";

/** The reply of the service, with what a fault does to it on its way. */
export interface Answer extends Reply {
  readonly fault?: Breakage;
  /** The answer is spread over so many milliseconds. */
  readonly dribbleMs?: number;
}

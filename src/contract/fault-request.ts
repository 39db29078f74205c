import type { FaultRule } from "../generated/types.js";
import type { FaultEffect, Meeting, ResponsePart } from "./fault-effects.js";

/** Which requests a fault affects, and how often. */
type MeetingFields = Pick<FaultRule, Meeting | "delayMs">;

type OtherEffect = Exclude<FaultEffect, "delayMs">;

/** Exactly one effect. */
type OnlyEffect<Name extends OtherEffect, Part extends ResponsePart = never> = Required<
  Pick<FaultRule, Name>
> &
  Pick<FaultRule, Part> & { readonly [Other in Exclude<OtherEffect | ResponsePart, Name | Part>]?: never };

/** Effects that need no other field. */
type PlainEffect = Exclude<OtherEffect, "status" | "dribble">;

type FaultEffects =
  | OnlyEffect<"status", "headers" | "body">
  | OnlyEffect<"status", "headers" | "text">
  | { [Name in PlainEffect]: OnlyEffect<Name> }[PlainEffect]
  | (OnlyEffect<"dribble"> & Required<Pick<FaultRule, "delayMs">>)
  | (OnlyEffect<never> & Required<Pick<FaultRule, "delayMs">>);

/**
 * A rule that makes matching requests fail, slow down, break or wait. It has exactly one effect.
 *
 * @example { operation: "rotate", status: 503, headers: { "Retry-After": "1" } }
 * @example { status: 502, text: "<html>Bad gateway</html>", delayMs: 300 }
 * @example { operation: "rotate", phase: "after", reset: true }
 */
export type OneFault = MeetingFields & FaultEffects;

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Rejects a literal status outside of 400 to 599. A plain number compiles, and is checked when the fault is armed. */
export interface FailureStatus<Status extends number> {
  status?: number extends Status ? Status : `${Status}` extends `${4 | 5}${Digit}${Digit}` ? Status : never;
}

/**
 * Which requests to hold.
 *
 * @example { operation: "rotate", times: 2 }
 */
export type HoldRequest = MeetingFields & OnlyEffect<never>;

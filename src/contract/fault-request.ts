import type { FaultRule } from "../generated/types.js";

/** Which calls a fault meets, and how often. */
type Meeting = Pick<
  FaultRule,
  "operation" | "match" | "team_id" | "phase" | "times" | "skip" | "probability" | "delayMs"
>;

type FaultEffectName = "status" | "reset" | "empty" | "truncate" | "malformed" | "dribble" | "hold";

type AnswerPart = "headers" | "body" | "text";

/** One effect, and none of the others. */
type OnlyEffect<Name extends FaultEffectName, Part extends AnswerPart = never> = Required<
  Pick<FaultRule, Name>
> &
  Pick<FaultRule, Part> & { readonly [Other in Exclude<FaultEffectName | AnswerPart, Name | Part>]?: never };

type FaultEffects =
  | OnlyEffect<"status", "headers" | "body">
  | OnlyEffect<"status", "headers" | "text">
  | OnlyEffect<"reset">
  | OnlyEffect<"empty">
  | OnlyEffect<"truncate">
  | OnlyEffect<"malformed">
  | OnlyEffect<"hold">
  | (OnlyEffect<"dribble"> & Required<Pick<FaultRule, "delayMs">>)
  | (OnlyEffect<never> & Required<Pick<FaultRule, "delayMs">>);

/**
 * A rule that makes matching calls fail, slow down, break or wait. It has exactly one effect.
 *
 * @example { operation: "rotate", status: 503, headers: { "Retry-After": "1" } }
 * @example { status: 502, text: "<html>Bad gateway</html>", delayMs: 300 }
 * @example { operation: "rotate", phase: "after", reset: true }
 */
export type OneFault = Meeting & FaultEffects;

/**
 * Which calls to hold.
 *
 * @example { operation: "rotate", times: 2 }
 */
export type HoldRequest = Meeting & OnlyEffect<never>;

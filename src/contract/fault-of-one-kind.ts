import type { FaultRule, GetOrCreateRequest, RotateRequest } from "../generated/types.js";
import type { FaultKind, ResponsePart } from "./fault-kinds.js";

// Interfaces, and not one mapped type: the compiler names them in its errors.

interface AnyMatch extends NonNullable<FaultRule["match"]> {}
interface GetOrCreateMatch extends Pick<AnyMatch, keyof GetOrCreateRequest> {}
interface RotateMatch extends Pick<AnyMatch, keyof RotateRequest> {}

type Selected = Pick<FaultRule, "team_id" | "phase" | "times" | "skip">;
interface AnyOperation extends Selected {
  operation?: never;
  match?: AnyMatch;
}
interface GetOrCreateOnly extends Selected {
  operation: "get-or-create";
  match?: GetOrCreateMatch;
}
interface RotateOnly extends Selected {
  operation: "rotate";
  match?: RotateMatch;
}

/** Which requests a fault affects. An operation has only some of the fields that `match` knows. */
export type FaultSelection = AnyOperation | GetOrCreateOnly | RotateOnly;

/** No value of a fault has this type, so a second kind does not compile. */
interface OneKindOnly {
  readonly "A fault has exactly one kind": true;
}

/** One kind. `delayMs` may be added to another one. The compiler tells kinds apart by `status`. */
type Only<Kind extends FaultKind> = Required<Pick<FaultRule, Kind>> &
  Pick<FaultRule, "delayMs"> & {
    [Other in Exclude<FaultKind, Kind | "delayMs">]?: Other extends "status"
      ? never
      : Required<FaultRule>[Other] & OneKindOnly;
  };
type WithoutResponse = { [Part in ResponsePart]?: never };

interface StatusFault extends Only<"status">, Pick<FaultRule, ResponsePart> {}
interface DelayFault extends Only<"delayMs">, WithoutResponse {}
interface ResetFault extends Only<"reset">, WithoutResponse {}
interface EmptyFault extends Only<"empty">, WithoutResponse {}
interface TruncateFault extends Only<"truncate">, WithoutResponse {}
interface MalformedFault extends Only<"malformed">, WithoutResponse {}
interface HoldFault extends Only<"hold">, WithoutResponse {}

/**
 * A rule that makes a matching request fail, slow down, break or wait: which requests, and exactly one kind.
 * @example { operation: "rotate", status: 503, headers: { "Retry-After": "1" } }
 */
export type FaultOfOneKind = FaultSelection &
  (DelayFault | ResetFault | EmptyFault | TruncateFault | MalformedFault | HoldFault | StatusFault);

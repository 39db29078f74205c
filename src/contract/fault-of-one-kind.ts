import type { FaultRule, Operation } from "../generated/types.js";
import type { FaultKind, ResponsePart } from "./fault-kinds.js";
import type { Bodies } from "./operations.js";

type Selected = Omit<FaultRule, FaultKind | ResponsePart>;
interface Match extends NonNullable<FaultRule["match"]> {}
interface AnyOperation extends Selected {
  operation?: never;
}
interface OneOperation<Id extends Operation> extends Selected {
  operation: Id;
  match?: Pick<Match, keyof Bodies[Id] & keyof Match>;
}

/** Which requests a fault affects. An operation has only some of the fields that `match` knows. */
export type FaultSelection = AnyOperation | { [Id in Operation]: OneOperation<Id> }[Operation];

/** No value of a fault has this type, so a second kind does not compile. */
interface OneKindOnly {
  readonly "A fault has exactly one kind": true;
}

/** `delayMs` may be added to another kind. The compiler tells kinds apart by `status`. */
type FaultWith<Kind extends FaultKind> = Required<Pick<FaultRule, Kind>> &
  Pick<FaultRule, "delayMs"> &
  (Kind extends "status" ? Pick<FaultRule, ResponsePart> : { [Part in ResponsePart | "status"]?: never }) & {
    [Other in Exclude<FaultKind, Kind | "delayMs" | "status">]?: Required<FaultRule>[Other] & OneKindOnly;
  };

/**
 * A rule that makes a matching request fail, slow down, break or wait: which requests, and exactly one kind.
 * @example { operation: "rotate", status: 503, headers: { "Retry-After": "1" } }
 */
export type FaultOfOneKind = FaultSelection & { [Kind in FaultKind]: FaultWith<Kind> }[FaultKind];

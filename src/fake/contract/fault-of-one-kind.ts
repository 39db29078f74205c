import type { FaultRule, Operation } from "../../generated/types.js";
import type { FaultKind, ResponseField, SelectionField } from "./fault-kinds.js";
import type { Bodies } from "./operations.js";

// Interfaces, where a type would be shorter: the compiler names them in its errors.

type Match = NonNullable<FaultRule["match"]>;

type AnySelection = Pick<FaultRule, Exclude<SelectionField, "operation" | "match">>;

interface OfAnyOperation extends AnySelection {
  operation?: never;
  match?: Match;
}

type MatchOf<Id extends Operation> = Pick<Match, keyof Match & keyof Bodies[Id]>;

interface OfOperation<Id extends Operation> extends AnySelection {
  operation: Id;
  match?: MatchOf<Id>;
}

/** The requests of a fault, and how often it fires. The requests of an operation have only some fields of `match`. */
export type FaultSelection = OfAnyOperation | { [Id in Operation]: OfOperation<Id> }[Operation];

/** No value has this type, so a second kind does not compile. */
interface NothingBesideTheKind {
  readonly "a fault has exactly one kind": never;
}

/** Only `delayMs` can be combined with another kind: the fault waits first. */
type OneKind<Kind extends FaultKind> = Required<Pick<FaultRule, Kind>> &
  Pick<FaultRule, "delayMs"> & {
    [Other in Exclude<FaultKind, Kind | "delayMs" | "status">]?: Required<FaultRule>[Other] &
      NothingBesideTheKind;
  };

/** Only a status has a response of its own. By this type, the compiler tells it from the others. */
type NoStatus = { [Field in "status" | ResponseField]?: never };

// For a fault without a kind, the compiler names the last of these, in the order of the alphabet.
interface DelayFault extends OneKind<"delayMs">, NoStatus {}
interface EmptyFault extends OneKind<"empty">, NoStatus {}
interface HalfResponseFault extends OneKind<"truncate">, NoStatus {}
interface HoldFault extends OneKind<"hold">, NoStatus {}
interface MalformedFault extends OneKind<"malformed">, NoStatus {}
interface ResetFault extends OneKind<"reset">, NoStatus {}
interface StatusFault extends OneKind<"status">, Pick<FaultRule, ResponseField> {}

type AnyFault =
  | DelayFault
  | EmptyFault
  | HalfResponseFault
  | HoldFault
  | MalformedFault
  | ResetFault
  | StatusFault;

/**
 * A rule that makes a matching request fail, slow down, break or wait: which requests, and exactly one kind.
 * @example { operation: "rotate", status: 503, headers: { "Retry-After": "1" } }
 */
export type FaultOfOneKind = FaultSelection & AnyFault;

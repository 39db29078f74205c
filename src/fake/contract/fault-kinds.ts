import { durationWords } from "../../foundation/grammar.js";
import type { FaultRule, Operation } from "../../generated/types.js";
import type { Bodies } from "./operations.js";

/** The fields that select the requests of a fault, and how often it fires. */
type SelectionField = "operation" | "match" | "team_id" | "phase" | "times" | "skip";

/** The fields that go with `status`. */
type ResponseField = "headers" | "body" | "text";

/** What a fault does to a request: all other fields of the schema. `delayMs` is a kind only without another one. */
export type FaultKind = Exclude<keyof FaultRule, SelectionField | ResponseField>;

/** The kinds that `server/send-response.ts` carries out: they break off the response on the wire. */
export type BreakingKind = "reset" | "empty" | "truncate";

interface KindRow {
  /** Whether the client still gets the response of the service. */
  readonly letsThrough?: true;
  /** In notes of the journal, after the name of the fault. */
  readonly noteText: (rule: FaultRule, waitedMs: number) => string;
  /** In the names of faults in the inspector. */
  readonly shortName: (rule: FaultRule) => string;
}

/** Every kind of fault, the most common first. `world/faults/apply-fault.ts` carries them out. */
export const faultKinds: Readonly<Record<FaultKind, KindRow>> = {
  status: {
    noteText: ({ status }) => `responded with ${status}`,
    shortName: ({ status }) => `${status}`,
  },
  delayMs: {
    letsThrough: true,
    noteText: (_, waitedMs) => `delayed the request by ${durationWords(waitedMs)}`,
    shortName: ({ delayMs = 0 }) => `delayed by ${delayMs.toLocaleString("en")} ms`,
  },
  reset: {
    noteText: () => "reset the connection",
    shortName: () => "connection reset",
  },
  empty: {
    noteText: () => "closed the connection",
    shortName: () => "no response",
  },
  truncate: {
    noteText: () => "cut the response in half",
    shortName: () => "half a response",
  },
  malformed: {
    noteText: () => "responded with broken JSON",
    shortName: () => "broken JSON",
  },
  hold: {
    letsThrough: true,
    noteText: (_, waitedMs) => `held the request for ${durationWords(waitedMs)}`,
    shortName: () => "hold",
  },
};

export const kindNames = Object.keys(faultKinds) as readonly FaultKind[];

/** The kinds that a rule names. `delayMs` beside another one is a wait before it. */
export function findKinds(rule: { readonly [Kind in FaultKind]?: unknown }): FaultKind[] {
  const given = kindNames.filter((kind) => rule[kind] !== undefined);
  return given.length > 1 ? given.filter((kind) => kind !== "delayMs") : given;
}

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

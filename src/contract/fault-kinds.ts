import { durationWords } from "../foundation/duration-words.js";
import type { FaultRule, Operation } from "../generated/types.js";
import type { Bodies } from "./operations.js";

/** Fields that select the requests of a fault, and how often it fires. */
type Selection = "operation" | "match" | "team_id" | "phase" | "times" | "skip";

/** Fields that go with `status`. */
type ResponsePart = "headers" | "body" | "text";

/** What a fault does to a request: all other fields of the schema. `delayMs` is a kind only without another one. */
export type FaultKind = Exclude<keyof FaultRule, Selection | ResponsePart>;

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
    shortName: ({ delayMs }) => `wait ${delayMs} ms`,
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

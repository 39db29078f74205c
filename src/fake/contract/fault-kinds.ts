import { durationWords } from "../../foundation/grammar.js";
import type { FaultRule } from "../../generated/types.js";

/** The fields that select the requests of a fault, and how often it fires. */
export type SelectionField = "operation" | "match" | "team_id" | "phase" | "times" | "skip";

/** The fields that go with `status`. */
export type ResponseField = "headers" | "body" | "text";

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

import { sentence } from "../foundation/grammar.js";
import type { Fault, JournalEntry } from "../generated/types.js";
import type { ReportedError } from "../report/report-data.js";
import { type GroupKey, kindOf, remarksOf } from "./request-facts.js";
import { faultName, requestName } from "./words.js";

/** What is known of a test. */
export interface Evidence {
  /** Whether a test or a command is known to have failed: otherwise nothing has a cause. */
  readonly hasFailed: boolean;
  readonly error: ReportedError | undefined;
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  readonly groups: ReadonlyMap<number, GroupKey>;
  readonly faults: readonly Fault[];
  /** The base URL that the test was given. */
  readonly url: string | undefined;
}

/** What the first screen says of a test beside its error. `#3` in the text is a request. */
export interface Verdict {
  readonly label?: "Likely cause" | "Last rejected";
  /** Empty if there is nothing to say. */
  readonly text: string;
  /** The request that is open until the reader chooses one. */
  readonly request: number | undefined;
}

/** The first line that applies. */
export function findVerdict(evidence: Evidence): Verdict {
  return (
    missedFault(evidence) ??
    likelyCause(evidence) ??
    stillWaiting(evidence) ??
    lastRemark(evidence) ??
    nothingArrived(evidence) ?? { ...lastRejected(evidence), request: closestRequest(evidence) }
  );
}

/** The error came from `assertFaultsFired`. */
function missedFault({ error, faults, entries }: Evidence): Verdict | undefined {
  if (error?.code !== "fault_never_fired") return undefined;
  const missed = faults.find(({ fired, times = 1 }) => fired < (times === "always" ? 1 : times));
  if (missed === undefined) return undefined;
  const { id, fired, times = 1, nearMisses = [] } = missed;
  const often = fired === 0 ? "has not fired" : `fired ${fired} of ${times} times`;
  const why = nearMisses.map(({ request, reason }) => `#${request} ${reason}`).join("; ");
  const known = nearMisses.find(({ request }) => entries.some((entry) => entry.id === request));
  return {
    text: `Fault ${id} (${faultName(missed)}) ${often}. ${sentence(why || "No request came after it was armed")}`,
    request: known?.request,
  };
}

/** The last rejected or broken request, if the error mentions it or nothing went well after it. */
function likelyCause(evidence: Evidence): Verdict | undefined {
  const { hasFailed, entries } = evidence;
  if (!hasFailed) return undefined;
  const lastGood = entries.findLastIndex((entry) => ["ok", "waiting"].includes(kindOf(entry)));
  const found = entries.findLast(
    (entry, i) =>
      entry.cause !== null &&
      kindOf(entry) !== "waiting" &&
      (i > lastGood || isMentioned(entry, errorText(evidence))),
  );
  return found && { label: "Likely cause", text: chainOf(found, evidence), request: found.id };
}

function errorText({ error }: Evidence): string {
  return [error?.message, error?.expected, error?.actual].join("\n");
}

/** Whether a text has the status, the code or the message of a response. */
function isMentioned({ cause, response }: JournalEntry, text: string): boolean {
  const status = response?.status ?? 0;
  return (
    (status >= 400 && new RegExp(`\\b${status}\\b`).test(text)) ||
    (cause !== null && (new RegExp(`\\b${cause.code}\\b`).test(text) || text.includes(cause.message)))
  );
}

/** `#3 sent a stale token ← #2 rotated it, its response was lost (fault 1)`. */
function chainOf(entry: JournalEntry, { entries, groups }: Evidence): string {
  const { id, cause, response } = entry;
  const name = `#${id} ${requestName(entry, groups.get(id))}`;
  if (cause === null) return name;
  if (cause.code === "unknown_token" && cause.request !== undefined) {
    const earlier = entries.find((one) => one.id === cause.request);
    const fault = cause.fault ?? earlier?.fault ?? undefined;
    const isLost = cause.fault !== undefined || (earlier?.cause ?? null) !== null;
    const lost = `, its response was lost${fault === undefined ? "" : ` (fault ${fault})`}`;
    return `#${id} sent a stale token ← #${cause.request} rotated it${isLost ? lost : ""}`;
  }
  if (kindOf(entry) !== "rejected") return `${name} failed ← ${cause.message}`;
  return `${name} was rejected with ${response?.status} ← ${cause.message}`;
}

function stillWaiting({ entries, groups }: Evidence): Verdict | undefined {
  const waiting = entries.findLast((entry) => kindOf(entry) === "waiting");
  if (waiting === undefined) return undefined;
  const { id, fault } = waiting;
  const why = fault === null ? "It has no response yet." : `Fault ${fault} holds it.`;
  return { text: `#${id} ${requestName(waiting, groups.get(id))} still waits. ${why}`, request: id };
}

function lastRemark({ entries, groups }: Evidence): Verdict | undefined {
  const remarked = entries.findLast((entry) => remarksOf(entry).length > 0);
  if (remarked === undefined) return undefined;
  const name = requestName(remarked, groups.get(remarked.id));
  return {
    text: sentence(`#${remarked.id} ${name}: ${remarksOf(remarked).join("; ")}`),
    request: remarked.id,
  };
}

function nothingArrived({ entries, url }: Evidence): Verdict | undefined {
  if (entries.length > 0) return undefined;
  const given = url === undefined ? "" : ` Check that your program uses the URL ${url}`;
  return { text: `No request of this test reached the mock.${given}`, request: undefined };
}

function lastRejected({ entries }: Evidence): Pick<Verdict, "label" | "text"> {
  const rejected = entries.findLast((entry) => kindOf(entry) === "rejected");
  if (rejected === undefined) return { text: "" };
  return { label: "Last rejected", text: `#${rejected.id} (may be intended)` };
}

/** Values in the text of an error: quoted, or numbers of three digits and more. */
const valuesInText = /"([^"\n]{2,})"|'([^'\n]{2,})'|`([^`\n]{2,})`|\b(\d{3,})\b/g;

/** The last request that has a value of the error, or the last one. A rejected one may be intended. */
function closestRequest(evidence: Evidence): number | undefined {
  const { error, entries } = evidence;
  const quoted = [...errorText(evidence).matchAll(valuesInText)].map((groups) => groups.slice(1).join(""));
  const values = [error?.expected, error?.actual, ...quoted].filter(
    (one) => one !== undefined && one.length > 1,
  );
  const accepted = entries.filter((entry) => kindOf(entry) !== "rejected");
  const bodies = ({ request, response }: JournalEntry) => JSON.stringify([request.body, response?.body]);
  const found = accepted.findLast((entry) => values.some((value) => bodies(entry).includes(value ?? "")));
  return (found ?? accepted.at(-1))?.id;
}

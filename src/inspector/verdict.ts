import { sentence } from "../foundation/grammar.js";
import type { Fault, JournalEntry } from "../generated/types.js";
import { describeNoRequest, getBodyError } from "../report/no-request.js";
import type { ReportedError } from "../report/report-data.js";
import { kindOf, remarksOf } from "./request-facts.js";
import { faultName, requestName } from "./words.js";

/** What is known of a test. */
export interface FailureFacts {
  /** Whether a test or a command is known to have failed: otherwise nothing has a cause. */
  readonly hasFailed: boolean;
  readonly error: ReportedError | undefined;
  /** Newest first. */
  readonly entries: readonly JournalEntry[];
  readonly faults: readonly Fault[];
  /** The base URL that the test was given. */
  readonly url: string | undefined;
}

/** What the first screen says of a test beside its error. `#3` in the text is a request. */
export interface VerdictLine {
  readonly label?: "Likely cause" | "Last rejected";
  /** Empty if there is nothing to say. */
  readonly text: string;
  /** The request that is open until the reader chooses one. */
  readonly request: number | undefined;
}

/** The first line that applies. */
export function findVerdict(facts: FailureFacts): VerdictLine {
  return (
    missedFault(facts) ??
    likelyCause(facts) ??
    stillWaiting(facts) ??
    lastRemark(facts) ??
    nothingArrived(facts) ?? { ...lastRejected(facts), request: closestRequest(facts) }
  );
}

/** The error came from `assertFaultsFired`. */
function missedFault({ error, faults, entries }: FailureFacts): VerdictLine | undefined {
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
function likelyCause(facts: FailureFacts): VerdictLine | undefined {
  const { hasFailed, entries } = facts;
  if (!hasFailed) return undefined;
  const lastGood = entries.findIndex((entry) => ["ok", "waiting"].includes(kindOf(entry)));
  const found = entries.find(
    (entry, i) =>
      entry.cause !== null &&
      kindOf(entry) !== "waiting" &&
      (lastGood < 0 || i < lastGood || isMentioned(entry, errorText(facts))),
  );
  return found && { label: "Likely cause", text: chainOf(found, facts), request: found.id };
}

function errorText({ error }: FailureFacts): string {
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
function chainOf(entry: JournalEntry, { entries }: FailureFacts): string {
  const { id, cause, response } = entry;
  const rotation = cause?.code === "unknown_token" ? cause.request : undefined;
  if (rotation !== undefined) {
    const { fault = null, cause: lostBy = null } = entries.find((one) => one.id === rotation) ?? {};
    const lost = `, its response was lost${fault === null ? "" : ` (fault ${fault})`}`;
    return `#${id} sent a stale token ← #${rotation} rotated it${lostBy === null ? "" : lost}`;
  }
  const failed = kindOf(entry) === "rejected" ? `was rejected with ${response?.status}` : "failed";
  return `#${id} ${requestName(entry)} ${failed} ← ${cause?.message}`;
}

function stillWaiting({ entries }: FailureFacts): VerdictLine | undefined {
  const waiting = entries.find((entry) => kindOf(entry) === "waiting");
  if (waiting === undefined) return undefined;
  const { id, fault } = waiting;
  const why = fault === null ? "It has no response yet." : `Fault ${fault} holds it.`;
  return { text: `#${id} ${requestName(waiting)} still waits. ${why}`, request: id };
}

function lastRemark({ entries }: FailureFacts): VerdictLine | undefined {
  const remarked = entries.find((entry) => remarksOf(entry).length > 0);
  if (remarked === undefined) return undefined;
  const { id } = remarked;
  const remarks = remarksOf(remarked).join("; ");
  return { text: sentence(`#${id} ${requestName(remarked)}: ${remarks}`), request: id };
}

function nothingArrived({ entries, error, url }: FailureFacts): VerdictLine | undefined {
  if (entries.length > 0) return undefined;
  const isGetBodyError = getBodyError.test(error?.message ?? "");
  return { text: describeNoRequest(url, isGetBodyError), request: undefined };
}

function lastRejected({ entries }: FailureFacts): Pick<VerdictLine, "label" | "text"> {
  const rejected = entries.find((entry) => kindOf(entry) === "rejected");
  if (rejected === undefined) return { text: "" };
  return { label: "Last rejected", text: `#${rejected.id} (may be intended)` };
}

/** Values in the text of an error: quoted, or numbers of three digits and more. */
const valuesInText = /"([^"\n]{2,})"|'([^'\n]{2,})'|`([^`\n]{2,})`|\b(\d{3,})\b/g;

/** The last request that has a value of the error, or the last one. A rejected one may be intended. */
function closestRequest(facts: FailureFacts): number | undefined {
  const { error, entries } = facts;
  const quoted = [...errorText(facts).matchAll(valuesInText)].map((groups) => groups.slice(1).join(""));
  const values = [error?.expected, error?.actual, ...quoted].filter(
    (one) => one !== undefined && one.length > 1,
  );
  const accepted = entries.filter((entry) => kindOf(entry) !== "rejected");
  const bodies = ({ request, response }: JournalEntry) => JSON.stringify([request.body, response?.body]);
  const found = accepted.find((entry) => values.some((value) => bodies(entry).includes(value ?? "")));
  return (found ?? accepted[0])?.id;
}

import { counted, durationWords } from "../foundation/grammar.js";
import type { Fault, JournalEntry } from "../generated/types.js";
import { faultSentence, faultSentences, isHold, isMissed, waitText } from "./armed-faults.js";
import { isHandled, kindOfRequest, remarksOf } from "./entry-facts.js";
import { readSides } from "./error-sides.js";
import { findShown } from "./evidence.js";
import { arrivedAfter, type Moment, splitAt } from "./moment.js";
import { describeNoRequest, type ElsewhereRequest } from "./no-request.js";
import type { FailureMark, FailureVerdict, ReportedError, VerdictPart } from "./report-data.js";
import { attemptsText, link, namedRequest, remarkSentence, whatHappened } from "./what-happened.js";

/** What is known of a test. */
export interface FailureFacts {
  /** Undefined if no error is known: then nothing has a cause. */
  readonly error: ReportedError | undefined;
  readonly mark: FailureMark | undefined;
  readonly entries: readonly JournalEntry[];
  readonly faults: readonly Fault[];
  /** The base URL that the test was given. */
  readonly url: string | undefined;
  /** Set if the test has sent no request. */
  readonly elsewhere?: ElsewhereRequest | undefined;
}

/** One line of a verdict: that it applies, and what it says. */
type Line = Omit<FailureVerdict, "faults">;

/** The first line that applies. What the faults did stands beside each. */
export function findVerdict(facts: FailureFacts): FailureVerdict {
  const moment = splitAt(facts.entries, facts.mark, facts.error);
  const line = missedFaults(facts, moment) ??
    likelyCause(facts, moment) ??
    stillWaiting(facts, moment) ??
    unchangedField(facts, moment) ??
    lastRemark(moment) ??
    nothingArrived(facts) ??
    afterFailure(facts, moment) ??
    lastRejected(facts, moment) ?? { parts: [], request: closest(facts, moment) };
  const faults = line.repeatsError ? [] : faultSentences(facts.faults, moment.before);
  return { ...line, parts: limited(line.parts), faults: limited(faults) };
}

/** The verdict as lines of text. */
export function verdictLines({ label, parts, faults }: Omit<FailureVerdict, "request">): string[] {
  const sentence = partsText(parts);
  const isLabelled = label !== undefined && sentence !== "";
  return [isLabelled ? `${label}: ${sentence}` : sentence, partsText(faults)].filter(Boolean);
}

function partsText(parts: readonly VerdictPart[]): string {
  return parts.map((part) => (typeof part === "string" ? part : `#${part.request}`)).join("");
}

/** How long a line may be with its label, in characters. */
const maxLine = 400 - "After the failure: ".length;

/** Cuts a line that is too long. */
function limited(parts: readonly VerdictPart[]): VerdictPart[] {
  if (partsText(parts).length <= maxLine) return [...parts];
  const kept: VerdictPart[] = [];
  let left = maxLine - 1;
  for (const part of parts) {
    const text = partsText([part]);
    if (text.length > left) return [...kept, typeof part === "string" ? `${part.slice(0, left)}…` : "…"];
    kept.push(part);
    left -= text.length;
  }
  return kept;
}

/** The error came from `assertFaultsFired`: it lists them, with the near misses. */
function missedFaults({ error, faults }: FailureFacts, { before }: Moment): Line | undefined {
  if (error?.code !== "fault_never_fired") return undefined;
  const parts = faults
    .filter(isMissed)
    .flatMap((fault, i) => [...(i === 0 ? [] : [" "]), ...faultSentence(fault, before, before.length)]);
  if (parts.length === 0) return undefined;
  const first = parts.find((part) => typeof part !== "string");
  return { parts, request: first?.request, repeatsError: true };
}

/** A rejected or broken request before the failure, and evidence for it. That it was the last one is none. */
function likelyCause({ error, faults }: FailureFacts, moment: Moment): Line | undefined {
  if (error === undefined) return undefined;
  const { before, waiting } = moment;
  const failed = before.filter((entry) => entry.cause !== null && !waiting.includes(entry));
  const found = findShown(error, failed, before) ?? abandoned(error, moment);
  if (found === undefined) return undefined;
  const { what, advice } = whatHappened(found, before, faults);
  const todo = advice === "" || expectsFailure(error) ? "." : `. ${advice}`;
  return { label: "Likely cause", parts: [...what, todo], request: found.id, explains: true };
}

/** Whether an assertion expected a request to fail. Then advice would contradict the test. */
function expectsFailure(error: ReportedError): boolean {
  if (error.kind !== "assertion") return false;
  const { expected } = readSides(error);
  const isStatus = /\b[45]\d\d\b/.test(expected) && !/<|less|below|most/.test(expected);
  return isStatus || /(?<!not )to throw\b|(?<!not\.)toThrow|\brejects\.(?!not)/.test(error.message);
}

/** The request on which the client gave up, if the error is that it did, and no fault was involved. */
function abandoned(error: ReportedError, moment: Moment): JournalEntry | undefined {
  const entry = error.kind === "abort" ? lastAbandoned(moment) : undefined;
  return entry?.fault === null ? entry : undefined;
}

/** The request on which the client gave up, if none succeeded afterwards. */
function lastAbandoned({ before, waiting }: Moment): JournalEntry | undefined {
  const ended = before.filter((entry) => !waiting.includes(entry));
  const entry = ended.findLast(({ cause }) => cause?.code === "caller-left");
  return entry === undefined || isHandled(entry, before) ? undefined : entry;
}

/** A request that waited when the test failed, or until its client gave up. */
function stillWaiting({ error, faults }: FailureFacts, moment: Moment): Line | undefined {
  const { waiting, before } = moment;
  const isAbort = error?.kind === "abort";
  // An assertion failed after the test had the error of its client.
  const isThrown = isAbort || (error !== undefined && error.kind === undefined);
  const entry = waiting.at(-1) ?? (isThrown ? lastAbandoned(moment) : undefined);
  if (entry === undefined) return undefined;
  const isLikely = isAbort || (error?.kind === "time-limit" && waiting.length > 0);
  const hasEnded = !waiting.includes(entry);
  const isHeld = faults.some((fault) => fault.id === entry.fault && isHold(fault));
  const release = isHeld ? "; `release()` was not called" : "";
  const left = hasEnded
    ? `; the client closed the connection after ${durationWords(entry.durationMs ?? 0)}`
    : "";
  const attempts = hasEnded ? attemptsText(entry, before) : "";
  const text = [`${waitText(entry, faults, hasEnded)}${release}${left}.`, attempts].filter(Boolean).join(" ");
  return {
    ...(isLikely && { label: "Likely cause" }),
    parts: [link(entry), ` ${text}`],
    request: entry.id,
    // What a request did that ended after the failure is said in its detail.
    ...((hasEnded || kindOfRequest(entry) === "waiting") && { explains: true }),
  };
}

/** The group was found and not changed, and the test expects what the request sent, or that it is rejected. */
function unchangedField({ error }: FailureFacts, { before }: Moment): Line | undefined {
  if (error?.kind !== "assertion") return undefined;
  const last = before.at(-1);
  const isMissed = last !== undefined && isUnchanged(last) && lacksRejection(error);
  const { received, expected } = readSides(error);
  const isSent = (text: string) => text.length > 1 && expected.includes(text) && !received.includes(text);
  const entry = isMissed ? last : before.findLast((one) => isUnchanged(one) && sentTexts(one).some(isSent));
  return entry && { parts: remarkSentence(entry), request: entry.id, explains: true };
}

/** Whether an assertion expected a rejection that did not come: of vitest, of Jest and Playwright, of Node. */
function lacksRejection({ message }: ReportedError): boolean {
  return /\binstead of rejecting\b|\bpromise resolved instead of rejected\b|\bMissing expected rejection\b/i.test(
    message,
  );
}

/** Whether a group was found that differs from the request: its last remark says that. */
function isUnchanged({ effect, assumed, known }: JournalEntry): boolean {
  const decided = [...Object.keys(assumed), ...known];
  return effect === "found" && decided.some((name) => /^existing[- ]group\b/.test(name));
}

/** The texts that a request has beside the id of its group. */
function sentTexts({ request: { body } }: JournalEntry): string[] {
  const { user_group_id: _, ...fields } =
    typeof body === "object" && body !== null ? ({ ...body } as Record<string, unknown>) : {};
  return Object.values(fields)
    .flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : value))
    .map(String);
}

/** Another remark about what the client sent. */
function lastRemark({ before }: Moment): Line | undefined {
  const others = (entry: JournalEntry) => remarksOf(entry).slice(0, isUnchanged(entry) ? -1 : undefined);
  const entry = before.findLast((one) => others(one).length > 0);
  return entry && { parts: remarkSentence(entry), request: entry.id, explains: true };
}

/** There were no requests in the world of the test. */
function nothingArrived({ entries, error, url, elsewhere }: FailureFacts): Line | undefined {
  if (entries.length > 0) return undefined;
  const text = describeNoRequest(url, error, elsewhere);
  return { parts: text === "" ? [] : [text], request: undefined };
}

/** Requests that came too late to be a reason. */
function afterFailure(facts: FailureFacts, moment: Moment): Line | undefined {
  const [first, ...others] = moment.after;
  if (first === undefined) return undefined;
  const late = arrivedAfter(first, moment);
  const more = others.length === 0 ? "" : ` (${counted(others.length, "other")} followed)`;
  return {
    label: "After the failure",
    parts: [...namedRequest(first), ` arrived ${late}later${more}: was it awaited?`],
    request: closest(facts, moment),
  };
}

/** Something was rejected. The test may want that. */
function lastRejected(facts: FailureFacts, moment: Moment): Line | undefined {
  const { before } = moment;
  const rejected = before.findLast((entry) => kindOfRequest(entry) === "rejected");
  if (rejected === undefined) return undefined;
  const { what } = whatHappened(rejected, before, facts.faults);
  return {
    label: "Last rejected",
    parts: [...what, " (may be intended)"],
    request: closest(facts, moment),
  };
}

/** Values in the text of an error: quoted, or numbers of three digits and more. */
const valuesInText = /"([^"\n]{2,})"|'([^'\n]{2,})'|`([^`\n]{2,})`|\b(\d{3,})\b/g;

/** The last accepted request that has a value of the error, or the last one. */
function closest({ error, entries }: FailureFacts, { before, after }: Moment): number | undefined {
  const { message = "", expected = "", actual = "" } = error ?? {};
  const quoted = [...message.matchAll(valuesInText)].map((groups) => groups.slice(1).join(""));
  const values = [expected, actual, ...quoted].filter((text) => text.length > 1);
  const accepted = before.filter((entry) => kindOfRequest(entry) !== "rejected");
  const bodies = ({ request, response }: JournalEntry) => JSON.stringify([request.body, response?.body]);
  const found = accepted.findLast((entry) => values.some((value) => bodies(entry).includes(value)));
  const last = before.at(-1) ?? after[0] ?? entries[0];
  return (found ?? last)?.id;
}

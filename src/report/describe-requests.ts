import { counted } from "../foundation/grammar.js";
import { printable, shorten } from "../foundation/printable.js";
import type { Fault, JournalEntry } from "../generated/types.js";
import { waitText } from "./armed-faults.js";
import { notesBeside } from "./entry-facts.js";
import { arrivedAfter, endedText, failureLine, type Moment } from "./moment.js";
import type { FailureVerdict, ReportedError } from "./report-data.js";
import { shortenTokens, tokenShortener } from "./shorten-tokens.js";
import { findVerdict, verdictLines } from "./verdict.js";

/** How much of a body and of a line is shown, in characters: each of the requests could have 100 kB. */
const maxBodyLength = 140;
const maxLineLength = 360;

/** Up to so many requests are all shown. Of more, so many of each kind that matters. */
const maxShown = 20;
const maxOfKind = 10;

/** What is known of a test without a framework import: the sentence, its faults, and its requests. */
export function describeTest(
  entries: readonly JournalEntry[],
  faults: readonly Fault[],
  error?: ReportedError,
): string {
  const verdict = findVerdict({ error, mark: undefined, entries, faults, url: undefined });
  const isEmpty = entries.length === 0;
  const lines = verdictLines(isEmpty ? { ...verdict, parts: [] } : verdict);
  const said = lines.map((line) => printable(shortenTokens(line))).join("\n");
  const requests = isEmpty ? "No request has reached this world." : describeRequests(entries, faults);
  return [said, requests].filter(Boolean).join("\n\n");
}

/** The requests of a world with their causes, one line each. */
function describeRequests(entries: readonly JournalEntry[], faults: readonly Fault[]): string {
  const describe = describerOf(entries, faults);
  return listRequests(entries, undefined, describe).join("\n");
}

/**
 * The requests of a failed test, and what came after its failure.
 * @param verdict its request matters most; if the verdict explains the request, its line is short
 */
export function describeFailure(
  moment: Moment,
  faults: readonly Fault[],
  verdict: Pick<FailureVerdict, "request" | "explains">,
): string {
  const { before, waiting, after } = moment;
  const describe = describerOf([...before, ...after], faults);
  const atFailure = before.map((entry) => (waiting.includes(entry) ? asWaiting(entry) : entry));
  const ends = waiting.flatMap((entry) => {
    const text = endedText(entry, moment);
    return text === undefined ? [] : [`#${entry.id}: ${text}`];
  });
  const arrivals = listRequests(after, undefined, (entry) => {
    return `${describe(entry)} (${arrivedAfter(entry, moment)}after the failure)`;
  });
  const late = [...ends, ...arrivals];
  const line = late.length === 0 ? [] : [`─── ${failureLine} ───`];
  const explained = verdict.explains ? verdict.request : undefined;
  const requests = listRequests(atFailure, verdict.request, (entry) =>
    describe(entry, entry.id === explained),
  );
  return [...requests, ...line, ...late].join("\n");
}

/** A request as it was while it waited. */
function asWaiting({ delivery, ...entry }: JournalEntry): JournalEntry {
  return { ...entry, outcome: "pending", response: null, durationMs: null, cause: null };
}

/** A line for each request that matters, and lines that count the others. */
function listRequests(
  entries: readonly JournalEntry[],
  focus: number | undefined,
  describe: (entry: JournalEntry) => string,
): string[] {
  const chosen = chooseShown(entries, focus);
  const lines: string[] = [];
  let leftOut: JournalEntry[] = [];
  for (const entry of entries) {
    if (!chosen.has(entry)) {
      leftOut.push(entry);
      continue;
    }
    lines.push(...countLeftOut(leftOut), describe(entry));
    leftOut = [];
  }
  return [...lines, ...countLeftOut(leftOut)];
}

/** Of many requests, the last ones that did not succeed, if any, and those of the group that matters. */
function chooseShown(entries: readonly JournalEntry[], focus: number | undefined): ReadonlySet<JournalEntry> {
  if (entries.length <= maxShown) return new Set(entries);
  const failed = entries.filter(({ outcome }) => outcome !== "success");
  const matters = entries.find(({ id }) => id === focus) ?? failed.at(-1) ?? entries.at(-1);
  const ofGroup = entries.filter((entry) => isSameGroup(entry, matters) && entry.id <= (matters?.id ?? 0));
  const explaining = entries.filter(({ id }) => id === matters?.id || id === matters?.cause?.request);
  const last = failed.length === 0 ? entries : failed;
  return new Set([...last.slice(-maxOfKind), ...ofGroup.slice(-maxOfKind), ...explaining]);
}

function isSameGroup({ group: one }: JournalEntry, other: JournalEntry | undefined): boolean {
  const { group } = other ?? {};
  return one !== undefined && one.team_id === group?.team_id && one.provided_id === group?.provided_id;
}

function countLeftOut(entries: readonly JournalEntry[]): string[] {
  if (entries.length === 0) return [];
  const others = entries.filter(({ outcome }) => outcome !== "success").length;
  const successful = others === 0 ? "all" : entries.length - others;
  return [`… ${counted(entries.length, "other request")}, ${successful} successful`];
}

/** Describes a request, its response and the cause in one line that is safe to print: without the cause if that is said elsewhere. */
function describerOf(all: readonly JournalEntry[], faults: readonly Fault[]) {
  const bodies = all.map(({ request, response }) => JSON.stringify([request.body, response?.body]));
  const short = tokenShortener(bodies.map((text) => text.slice(0, 10 * maxBodyLength)).join());
  return (entry: JournalEntry, isExplained = false) => {
    const line = `#${entry.id} ${exchangeText(entry, { short, faults, isExplained })}`;
    return printable(shorten(short(line), maxLineLength));
  };
}

/** A request and its response in one line, without the number of the request. */
export function describeExchange(entry: JournalEntry): string {
  return printable(exchangeText(entry, { short: (text) => text, faults: [], isExplained: false }));
}

interface HowShown {
  readonly short: (text: string) => string;
  readonly faults: readonly Fault[];
  /** Its cause or remarks stand elsewhere. */
  readonly isExplained: boolean;
}

function exchangeText(entry: JournalEntry, shown: HowShown): string {
  const { method, path, body } = entry.request;
  const sent = [method, shorten(path, maxBodyLength), ...(body === null ? [] : [shortJson(body, shown)])];
  const notes = shown.isExplained ? [] : notesBeside(entry);
  const remarks = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  return `${sent.join(" ")} → ${resultText(entry, shown)}${remarks}`;
}

function resultText(entry: JournalEntry, shown: HowShown): string {
  const { response, delivery, cause, fault } = entry;
  if (delivery === undefined)
    return `no response yet${fault === null ? "" : `: it ${waitText(entry, shown.faults)}`}`;
  const status = response === null ? "no response" : String(response.status);
  if (cause !== null) return `${status} ${cause.code}${shown.isExplained ? "" : `: ${cause.message}`}`;
  return response === null || response.body === null
    ? status
    : `${status} ${shortJson(response.body, shown)}`;
}

function shortJson(body: unknown, { short }: HowShown): string {
  return shorten(short(JSON.stringify(body)), maxBodyLength);
}

import { counted } from "../foundation/grammar.js";
import { printable, shorten } from "../foundation/printable.js";
import type { JournalEntry } from "../generated/types.js";
import { notesBeside } from "../report/entry-facts.js";
import { arrivedAfter, endedText, failureLine, type Moment } from "../report/moment.js";
import { shortenTokens } from "../report/shorten-tokens.js";
import type { FailureVerdict } from "../report/verdict.js";

/** How much of a body is shown, in characters: each of the requests could have 100 kB. */
const maxBodyLength = 1_000;

/** Up to so many requests are all shown. Of more, so many of each kind that matters. */
const maxShown = 20;
const maxOfKind = 10;

/** The requests of a world with their causes, one line each. */
export function describeRequests(entries: readonly JournalEntry[]): string {
  return shortenTokens(listRequests(entries, undefined).join("\n"));
}

/**
 * The requests of a failed test, and what came after its failure.
 * @param verdict its request matters most; if the verdict explains the request, its line is short
 */
export function describeFailure(
  moment: Moment,
  verdict: Pick<FailureVerdict, "request" | "explains">,
): string {
  const { before, waiting, after } = moment;
  const atFailure = before.map((entry) => (waiting.includes(entry) ? asWaiting(entry) : entry));
  const ends = waiting.flatMap((entry) => {
    const text = endedText(entry, moment);
    return text === undefined ? [] : [`#${entry.id}: ${text}`];
  });
  const arrivals = listRequests(after, undefined, (entry) => {
    return `${describeEntry(entry)} (${arrivedAfter(entry, moment)} after the failure)`;
  });
  const late = [...ends, ...arrivals];
  const line = late.length === 0 ? [] : [`─── ${failureLine} ───`];
  const explained = verdict.explains ? verdict.request : undefined;
  const requests = listRequests(atFailure, verdict.request, (entry) =>
    entry.id === explained ? describeExplained(entry) : describeEntry(entry),
  );
  return shortenTokens([...requests, ...line, ...late].join("\n"));
}

/** A request as it was while it waited. */
function asWaiting({ delivery, ...entry }: JournalEntry): JournalEntry {
  return { ...entry, outcome: "pending", response: null, durationMs: null, cause: null };
}

/** A line for each request that matters, and lines that count the others. */
function listRequests(
  entries: readonly JournalEntry[],
  focus: number | undefined,
  describe = describeEntry,
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

/** A request, its response and the cause, in one line that is safe to print. */
function describeEntry(entry: JournalEntry): string {
  return `#${entry.id} ${describeExchange(entry)}`;
}

/** The same without the number of the request. */
export function describeExchange(entry: JournalEntry): string {
  const notes = notesBeside(entry);
  const remarks = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  return printable(`${sentText(entry)} → ${resultText(entry)}${remarks}`);
}

/** A request whose cause or remarks stand elsewhere. */
function describeExplained(entry: JournalEntry): string {
  const { id, cause } = entry;
  const result = cause === null ? resultText(entry) : `${statusText(entry)} ${cause.code}`;
  return printable(`#${id} ${sentText(entry)} → ${result}`);
}

function sentText({ request }: JournalEntry): string {
  const { method, path, body } = request;
  return body === null ? `${method} ${path}` : `${method} ${path} ${shortJson(body)}`;
}

function statusText({ response }: JournalEntry): string {
  return response === null ? "no response" : String(response.status);
}

function resultText(entry: JournalEntry): string {
  const { response, delivery, fault, cause } = entry;
  if (delivery === undefined)
    return `pending: it ${fault === null ? "has no response yet" : `is waiting in fault ${fault}`}`;
  const status = statusText(entry);
  if (cause !== null) return `${status} ${cause.code}: ${cause.message}`;
  return response === null || response.body === null ? status : `${status} ${shortJson(response.body)}`;
}

function shortJson(body: unknown): string {
  return shorten(JSON.stringify(body), maxBodyLength);
}

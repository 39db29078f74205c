import { counted } from "../foundation/grammar.js";
import { printable, shorten } from "../foundation/printable.js";
import type { JournalEntry } from "../generated/types.js";

/** How much of a body is shown, in characters: each of the requests could have 100 kB. */
const maxBodyLength = 1_000;

/** How many requests are shown, and how many of them before the one that matters. */
const maxShown = 20;
const shownBefore = 14;

/** The requests of a test with their causes, one line each: the last one without a success, and those around it. */
export function describeRequests(entries: readonly JournalEntry[]): string {
  const found = entries.findLastIndex(({ outcome }) => outcome !== "success");
  const last = found < 0 ? entries.length - 1 : found;
  const from = Math.max(0, Math.min(last - shownBefore, entries.length - maxShown));
  const lines = [
    ...countLeftOut(entries.slice(0, from), "earlier request"),
    ...entries.slice(from, from + maxShown).map(describeEntry),
    ...countLeftOut(entries.slice(from + maxShown), "later request"),
  ];
  return shortenTokens(lines.join("\n"));
}

function countLeftOut(entries: readonly JournalEntry[], what: string): string[] {
  if (entries.length === 0) return [];
  const others = entries.filter(({ outcome }) => outcome !== "success").length;
  return [`… ${counted(entries.length, what)}, ${others === 0 ? "all" : entries.length - others} successful`];
}

/** A request, its response and the cause, in one line that is safe to print. */
export function describeEntry(entry: JournalEntry): string {
  const { id, request, response, delivery, fault, cause, notes } = entry;
  const sent = request.body === null ? "" : ` ${shortJson(request.body)}`;
  const status = response === null ? "no response" : `${response.status}`;
  const body = response === null || response.body === null ? "" : ` ${shortJson(response.body)}`;
  const result =
    delivery === undefined
      ? `pending: it ${fault === null ? "has no response yet" : `is waiting in fault ${fault}`}`
      : cause === null
        ? `${status}${body}`
        : `${status} ${cause.code}: ${cause.message}`;
  const remarks = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  return printable(`#${id} ${request.method} ${request.path}${sent} → ${result}${remarks}`);
}

function shortJson(body: unknown): string {
  return shorten(JSON.stringify(body), maxBodyLength);
}

/** Shortens the tokens of groups to what tells them apart. */
function shortenTokens(text: string): string {
  const pattern = /\b[0-9a-f]{64}\b/g;
  const tokens = [...new Set(text.match(pattern))];
  let length = 6;
  while (new Set(tokens.map((token) => token.slice(0, length))).size < tokens.length) length++;
  return text.replace(pattern, (token) => `${token.slice(0, length)}…`);
}

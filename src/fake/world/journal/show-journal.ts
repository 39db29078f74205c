import type {
  HistoryItem,
  JournalEntry,
  JournalFilter,
  JournalPage,
  TestList,
  TestSummary,
} from "../../../generated/types.js";
import type { Test } from "../worlds.js";
import { causeOf, type Entry, parseOrKeep } from "./entry.js";
import type { Journal } from "./journal.js";
import { masked, maskedToken, namesSecret } from "./mask.js";

/** An entry in the admin API and in `requests()`. An API token that the state does not list is masked. */
export function showEntry(entry: Entry): JournalEntry {
  const { changes, delivered, group } = entry;
  const { method, path, headers } = entry.head;
  const isListed = entry.teamId !== undefined;
  const mask = (name: string, value: string) =>
    name === "authorization" && isListed ? value : maskHeader(name, value);
  return {
    id: entry.id,
    at: new Date(entry.at).toISOString(),
    operation: entry.operation,
    ...(group && { group: { ...group } }),
    outcome: entry.outcome,
    request: { method, path, headers: plainHeaders(headers, mask), body: entry.json },
    response: showResponse(entry),
    effect: entry.effect,
    ...(changes !== undefined && { changes: JSON.parse(changes) }),
    ...(delivered && { delivery: delivered.delivery }),
    durationMs: entry.durationMs,
    assumed: entry.decisions.assumed,
    known: entry.decisions.known,
    fault: entry.fault,
    cause: causeOf(entry) ?? null,
    notes: [...entry.notes],
  };
}

/** The value of a header. Of one that names a secret, only the scheme is shown, and the end of a token. */
function maskHeader(name: string, value: string): string {
  if (!namesSecret(name)) return value;
  if (!name.endsWith("authorization")) return masked;
  const [, scheme, token = ""] = /^(token|bearer|basic|digest) (.+)$/i.exec(value) ?? [];
  if (scheme === undefined) return masked;
  // Basic and Digest have user names in them.
  return `${scheme} ${/^(token|bearer)$/i.test(scheme) ? maskedToken(token) : masked}`;
}

function showResponse({ delivered, status, sentText }: Entry): JournalEntry["response"] {
  if (delivered?.headers === undefined || status === undefined) return null;
  const headers = plainHeaders(delivered.headers);
  return { status, headers, body: parseOrKeep(sentText) };
}

/** The entries that pass the filter, oldest first. */
export function showPage(journal: Journal, filter: JournalFilter): JournalPage {
  const { epoch, label } = journal;
  const { operation, outcome, user_group_id, after = 0, limit = Number.POSITIVE_INFINITY } = filter;
  const matching = [...journal].filter(
    (entry) =>
      (operation === undefined || entry.operation === operation) &&
      (outcome === undefined || entry.outcome === outcome) &&
      (user_group_id === undefined || entry.group?.provided_id === user_group_id),
  );
  const requests = matching
    .filter(({ id }) => id > after)
    .slice(0, limit)
    .map(showEntry);
  return {
    requests,
    total: matching.length,
    dropped: journal.dropped,
    epoch,
    ...(label !== undefined && { label }),
  };
}

export function listTests(tests: readonly Test[]): TestList {
  return { tests: tests.map(showTest) };
}

export function showTest({ journal, state }: Test): TestSummary {
  const { world, epoch, label, startedAt, endedAt } = journal;
  return {
    world,
    epoch,
    ...(label !== undefined && { label }),
    state,
    startedAt: new Date(startedAt).toISOString(),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
    ...(journal.lastAt !== undefined && { lastRequestAt: new Date(journal.lastAt).toISOString() }),
    ...journal.counts,
  };
}

/** An earlier journal in the history of its world. */
export function showPast(journal: Journal): HistoryItem {
  const { world, state, lastRequestAt, epoch: n, ...shown } = showTest({ journal, state: "past" });
  return { n, ...shown, endedAt: shown.endedAt ?? "" };
}

function plainHeaders(
  headers: Readonly<Record<string, unknown>>,
  mask: (name: string, value: string) => string = (_, value) => value,
): Record<string, string> {
  const shown = Object.entries(headers).map(([name, value]) => {
    const lower = name.toLowerCase();
    return [lower, mask(lower, Array.isArray(value) ? value.join(", ") : String(value))];
  });
  return Object.fromEntries(shown);
}

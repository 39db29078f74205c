import { codeOf } from "../contract/why.js";
import type { JournalEntry } from "../generated/types.js";
import { type GroupKey, groupOfEntry, type Lookups } from "./entry-facts.js";
import { durationText, operationText, statusText, summarize, timeText } from "./words.js";

/** Which entries are shown. An empty string matches all. */
export interface Filter {
  readonly text: string;
  readonly operation: string;
  readonly outcome: string;
  readonly group: GroupKey | undefined;
}

/** Merges new entries into the list, newest first. A new version of an entry replaces the old one. */
export function merge(
  entries: readonly JournalEntry[],
  newEntries: readonly JournalEntry[],
  maxEntries: number,
): readonly JournalEntry[] {
  if (newEntries.length === 0) return entries;
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  for (const entry of newEntries) {
    // Keep an answered entry: the list of pending calls may be older than its answer.
    if (entry.outcome !== "pending" || !byId.has(entry.id)) byId.set(entry.id, entry);
  }
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, maxEntries);
}

export function filterEntries(
  entries: readonly JournalEntry[],
  { text, operation, outcome, group }: Filter,
  lookups: Lookups,
): readonly JournalEntry[] {
  const terms = readTerms(text);
  if (terms.length === 0 && operation === "" && outcome === "" && group === undefined) return entries;
  return entries.filter((entry) => {
    if (operation !== "" && entry.operation !== operation) return false;
    if (outcome !== "" && entry.outcome !== outcome) return false;
    const found = groupOfEntry(entry, lookups);
    if (group !== undefined) {
      const { groupId, teamId } = found;
      if (groupId !== group.groupId || (teamId !== undefined && teamId !== group.teamId)) return false;
    }
    return terms.every(({ isWanted, holds }) => holds(entry, found.groupId ?? "") === isWanted);
  });
}

interface Term {
  /** False for `-status:404`. */
  readonly isWanted: boolean;
  readonly holds: (entry: JournalEntry, groupId: string) => boolean;
}

/** The fields that a filter can name: `status:404 group:acme -outcome:success`. */
const fields: Readonly<Record<string, (entry: JournalEntry, groupId: string) => readonly string[]>> = {
  id: ({ id }) => [String(id)],
  status: ({ response }) => [String(response?.status ?? "none")],
  group: (_, groupId) => [groupId],
  operation: ({ operation }) => [operation ?? "none"],
  outcome: ({ outcome }) => [outcome],
  effect: ({ effect }) => [effect],
  delivery: ({ delivery }) => [delivery ?? "pending"],
  code: (entry) => [codeOf(entry) ?? "none"],
  fault: ({ fault }) => [String(fault ?? "none")],
  assumed: ({ assumed }) => Object.entries(assumed).flatMap(([id, value]) => [id, `${id}=${value}`]),
  method: ({ request }) => [request.method],
  path: ({ request }) => [request.path],
};

/** What the help says about each field. */
export const filterHelp: readonly (readonly [example: string, meaning: string])[] = [
  ["acme", "the word anywhere in the request or response"],
  ['"was rotated out"', "several words, as they stand"],
  ["-outcome:success", "a minus sign: without this word or field"],
  ["status:404", "the HTTP status; status:4xx for a range, status:none without a response"],
  ["group:acme", "a part of the id of the group"],
  ["operation:rotate", "get-or-create, rotate, none"],
  ["outcome:failure", "success, failure, fault, pending"],
  ["code:unknown_token", "the error code of a response"],
  ["effect:rotated", "created, found, updated, rotated, none"],
  ["delivery:cut", "complete, cut, none, caller-left, pending"],
  ["fault:2", "the number of the fault that fired"],
  ["assumed:old-token", "an assumption that decided the response"],
  ["method:POST", "the HTTP method"],
  ["path:/api", "a part of the path"],
  ["id:7", "the number of the request"],
];

/** Says which fields of a filter do not exist. Undefined when all do. */
export function filterProblem(text: string): string | undefined {
  const unknown = termsIn(text)
    .map(([, , name]) => name)
    .filter((name) => name !== undefined && !Object.hasOwn(fields, name));
  if (unknown.length === 0) return undefined;
  const names = [...new Set(unknown)].join(", ");
  const isOne = new Set(unknown).size === 1;
  return `${names} ${isOne ? "is not a field" : "are not fields"}. Fields: ${Object.keys(fields).join(", ")}.`;
}

function termsIn(text: string) {
  return [...text.toLowerCase().matchAll(/(-?)(?:([a-z_]\w*):(?!\/\/))?(?:"([^"]*)"|(\S+))/g)];
}

/** Words, `"several words"` and `field:value`; a `-` before them means: without. In a status, x is any digit. */
function readTerms(text: string): readonly Term[] {
  return termsIn(text).map(([whole, minus, name = "", quoted, plain]) => {
    const value = quoted ?? plain ?? "";
    const valuesOf = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const isWanted = minus === "";
    if (valuesOf === undefined) {
      // A minus alone, or with something that is no field, may be part of what is looked for.
      const word = isWanted ? (quoted ?? whole) : (quoted ?? whole.slice(1));
      if (word === "") return { isWanted: true, holds: () => true };
      return { isWanted, holds: (entry, groupId) => searchedText(entry, groupId).includes(word) };
    }
    const isIt = name === "group" || name === "path" ? contains : equals;
    return {
      isWanted,
      holds: (entry, groupId) => valuesOf(entry, groupId).some((one) => isIt(one.toLowerCase(), value)),
    };
  });
}

function contains(text: string, part: string): boolean {
  return text.includes(part);
}

function equals(text: string, value: string): boolean {
  return (
    text === value || (/^[\dx]{3}$/.test(value) && new RegExp(`^${value.replaceAll("x", "\\d")}$`).test(text))
  );
}

const searchedTexts = new WeakMap<JournalEntry, string>();

/** Everything that the page shows of an entry, in lower case. */
function searchedText(entry: JournalEntry, groupId: string): string {
  let text = searchedTexts.get(entry);
  if (text === undefined) {
    const { id, outcome, request, response, notes, fault, effect } = entry;
    const parts = [
      `#${id} ${statusText(entry)} ${operationText(entry)} ${outcome} ${effect}`,
      `${request.method} ${request.path} ${response?.status ?? "no answer"}`,
      `${summarize(entry)} ${durationText(entry)} ${timeText(entry)}`,
      effect === "created" ? "new" : "",
      fault === null ? "" : `fault ${fault}`,
      ...notes,
      JSON.stringify([request.body, response?.body, request.headers, response?.headers, entry.assumed]),
    ];
    text = parts.join("\n").toLowerCase();
    searchedTexts.set(entry, text);
  }
  return `${text}\n${groupId.toLowerCase()}`;
}

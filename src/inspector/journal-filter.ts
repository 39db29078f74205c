import { effects } from "../contract/effects.js";
import { operationIds } from "../contract/operations.js";
import type { JournalEntry } from "../generated/types.js";
import { type GroupKey, groupOfEntry, type Lookups } from "./entry-facts.js";
import { durationText, operationText, statusText, summarize, timeText } from "./texts.js";

/** Which entries are shown. An empty string matches all. */
export interface Filter {
  readonly text: string;
  readonly operation: string;
  readonly outcome: string;
  readonly group: GroupKey | undefined;
}

export const outcomes = [
  "success",
  "failure",
  "fault",
  "pending",
] as const satisfies JournalEntry["outcome"][];

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
    return terms.every(({ isWanted, matches }) => matches(entry, found.groupId ?? "") === isWanted);
  });
}

interface Term {
  /** False for `-status:404`. */
  readonly isWanted: boolean;
  readonly matches: (entry: JournalEntry, groupId: string) => boolean;
}

interface Field {
  readonly valuesOf: (entry: JournalEntry, groupId: string) => readonly string[];
  /** Whether a part of a value is enough. */
  readonly matchesPart?: true;
  /** An example value and its meaning, for the help. */
  readonly help: readonly [example: string, meaning: string];
}

/** The fields of a filter such as `status:404 group:acme -outcome:success`. */
const fields: Readonly<Record<string, Field>> = {
  id: { valuesOf: ({ id }) => [String(id)], help: ["7", "the number of the request"] },
  status: {
    valuesOf: ({ response }) => [String(response?.status ?? "none")],
    help: ["404", "the HTTP status; status:4xx for a range, status:none for no response"],
  },
  group: { valuesOf: (_, groupId) => [groupId], matchesPart: true, help: ["acme", "part of the group id"] },
  operation: {
    valuesOf: ({ operation }) => [operation ?? "none"],
    help: ["rotate", [...operationIds, "none"].join(", ")],
  },
  outcome: { valuesOf: ({ outcome }) => [outcome], help: ["failure", outcomes.join(", ")] },
  code: {
    valuesOf: (entry) => [entry.cause?.code ?? "none"],
    help: ["unknown_token", "the error code of a response"],
  },
  effect: {
    valuesOf: ({ effect }) => [effect],
    help: ["rotated", Object.keys(effects).join(", ")],
  },
  delivery: {
    valuesOf: ({ delivery }) => [delivery ?? "pending"],
    help: ["cut", "complete, cut, none, caller-left, pending"],
  },
  fault: {
    valuesOf: ({ fault }) => [String(fault ?? "none")],
    help: ["2", "the number of the fault that fired"],
  },
  assumed: {
    valuesOf: ({ assumed }) => Object.entries(assumed).flatMap(([id, value]) => [id, `${id}=${value}`]),
    help: ["old-token", "an assumption that decided the response"],
  },
  method: { valuesOf: ({ request }) => [request.method], help: ["POST", "the HTTP method"] },
  path: {
    valuesOf: ({ request }) => [request.path],
    matchesPart: true,
    help: ["/api", "part of the path"],
  },
};

export const filterHelp: readonly (readonly [example: string, meaning: string])[] = [
  ["acme", "the word anywhere in the request or response"],
  ['"was rotated out"', "an exact phrase"],
  ["-outcome:success", "a minus sign excludes a word or field"],
  ...Object.entries(fields).map(([name, { help }]) => [`${name}:${help[0]}`, help[1]] as const),
];

/** An error that names the unknown fields of a filter. Undefined if all are known. */
export function filterError(text: string): string | undefined {
  const names = termsIn(text).flatMap(([, , name]) => name ?? []);
  const unknown = [...new Set(names)].filter((name) => !Object.hasOwn(fields, name));
  if (unknown.length === 0) return undefined;
  const verb = unknown.length === 1 ? "is not a field" : "are not fields";
  return `${unknown.join(", ")} ${verb}. Fields: ${Object.keys(fields).join(", ")}.`;
}

function termsIn(text: string) {
  return [...text.toLowerCase().matchAll(/(-?)(?:([a-z_]\w*):(?!\/\/))?(?:"([^"]*)"|(\S+))/g)];
}

/** Parses words, `"exact phrases"` and `field:value`, each with an optional `-`. In a status, x is any digit. */
function readTerms(text: string): readonly Term[] {
  return termsIn(text).map(([whole, minus, name = "", quoted, plain]) => {
    const value = quoted ?? plain ?? "";
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const isWanted = minus === "";
    if (field === undefined) {
      const word = quoted ?? (isWanted ? whole : whole.slice(1));
      // A minus alone, while the rest is being typed.
      if (word === "") return { isWanted: true, matches: () => true };
      return { isWanted, matches: (entry, groupId) => searchedText(entry, groupId).includes(word) };
    }
    const isMatch = (text: string) => (field.matchesPart ? text.includes(value) : equals(text, value));
    return {
      isWanted,
      matches: (entry, groupId) => field.valuesOf(entry, groupId).some((one) => isMatch(one.toLowerCase())),
    };
  });
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
      `${request.method} ${request.path} ${response?.status ?? "no response"}`,
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

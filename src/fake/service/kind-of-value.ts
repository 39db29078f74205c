import { isSituation, type SituationId } from "../contract/situations.js";

/** The kind of a JSON value, as the names of situations say it. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  return typeof value === "string" ? "text" : typeof value;
}

/** The first of these names that the table has. */
export function firstSituation(...names: readonly string[]): SituationId {
  const found = names.find(isSituation);
  if (found === undefined) throw new Error(`The table has no situation ${names[0]}.`);
  return found;
}

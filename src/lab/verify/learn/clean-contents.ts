import type { Named } from "../replay/name-responses.js";
import { FirstTime } from "../text/dates.js";
import { type Leaf, mapLeaves, renameFields } from "../text/json-leaves.js";
import { isSecretField } from "../text/secret-fields.js";
import { asExample, type Clean } from "./clean.js";
import {
  hasPlaceholder,
  repeatedFields,
  sentValues,
  textWithoutBraces,
  withoutBraces,
  withPlaceholders,
} from "./placeholders.js";

/** The bodies of rejections, and their texts if they are not JSON, without what belongs to this run. */
export function cleanContents(entries: readonly Named[], clean: Clean): Map<Named, unknown> {
  const repeated = repeatedFields(entries);
  const times = new FirstTime();
  const cleaned = entries.map((entry) => {
    const placed = contentWithPlaceholders(entry, repeated);
    const content = mapLeaves(placed, (leaf) => cleanValue(leaf, times, clean));
    return [entry, renameFields(content, clean)] as const;
  });
  return new Map(cleaned);
}

/**
 * First what the service itself sent as a placeholder goes, because the mock would replace it. So all placeholders are
 * ours then.
 * @param repeated the fields of requests that the service repeats in texts
 */
function contentWithPlaceholders(entry: Named, repeated: ReadonlySet<string>): unknown {
  const { json, text } = entry.response;
  const literal = withoutBraces(json === undefined ? text : json);
  const renamed = renameFields(literal, textWithoutBraces);
  return withPlaceholders(renamed, sentValues(entry), repeated);
}

function cleanValue({ path, value }: Leaf, times: FirstTime, clean: Clean): unknown {
  // A placeholder is what a request sends, and no secret of the service.
  if (isSecretIn(path) && !isPlaceholder(value)) return asExample(value);
  const settled = times.settle(value);
  return typeof settled === "string" ? clean(settled) : settled;
}

/** In a rejection, a field of the request is the key of messages about it, so its name does not count. */
function isSecretIn(path: string): boolean {
  return path.split("/").some(isSecretField);
}

function isPlaceholder(value: unknown): boolean {
  return typeof value === "string" && /^\{\w+\}$/.test(value) && hasPlaceholder(value);
}

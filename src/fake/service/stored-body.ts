import { fieldOf, isObject, type JsonObject, namesIn } from "../../foundation/json.js";
import type { Decisions } from "./decisions.js";
import type { Mistake } from "./result.js";

/**
 * A body with what the service makes of values that the document does not show. What is accepted as it is counts as not
 * sent where there is nothing to store: null, and anything but an object in place of one. Names and ids are text.
 * @param met the situations of its values, all of them accepted
 */
export function storedBody(json: unknown, met: readonly Mistake[], { behaviour }: Decisions): unknown {
  if (!isObject(json)) return json;
  const body: Record<string, unknown> = { ...json };
  for (const { situation, path = "" } of met) {
    const [field = "", key] = namesIn(path);
    const outcome = behaviour.outcome(situation);
    if (key === undefined) body[field] = storedField(field, json[field], outcome);
    else if (outcome === "as text") body[field] = withTextAt(body[field], key);
    else if (outcome === "ignored") body[field] = withoutNulls(body[field]);
  }
  for (const [field, value] of Object.entries(body)) if (value === undefined) delete body[field];
  return body;
}

function storedField(field: string, value: unknown, outcome: string): unknown {
  // No group has an empty token.
  if (field === "current_token") return typeof value === "string" ? value : "";
  switch (outcome) {
    case "empty":
      return "";
    case "ignored":
      return undefined;
    case "as sent":
      return value;
    case "as text":
      return String(value);
    case "by index":
      return { ...Object(value) };
    default:
      return acceptedField(field, value);
  }
}

function acceptedField(field: string, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (field === "mapping" || field === "properties") return isObject(value) ? value : undefined;
  if (field === "filename" || typeof value === "string") return value;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function withTextAt(object: unknown, key: string): JsonObject {
  const given = isObject(object) ? object : {};
  return { ...given, [key]: String(fieldOf(given, key)) };
}

function withoutNulls(object: unknown): JsonObject {
  return Object.fromEntries(Object.entries(Object(object)).filter(([, value]) => value !== null));
}

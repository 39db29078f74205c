import { isObject } from "../../../foundation/json.js";
import { typeName } from "../../../foundation/json-shape.js";
import type { ReceivedResponse } from "../service/received-response.js";

const comparedHeaders = ["WWW-Authenticate", "Allow"];

/** How one response of a mock differs from another one, a text for each change. */
export function changesBetween(was: ReceivedResponse, is: ReceivedResponse): string[] {
  const found: string[] = [];
  if (was.status !== is.status) found.push(`status ${was.status} → ${is.status}`);
  for (const name of comparedHeaders) {
    const before = headerOf(was, name);
    const now = headerOf(is, name);
    if (sortedList(before) !== sortedList(now)) found.push(`${name} ${before} → ${now}`);
  }
  if (was.type === is.type) found.push(...changedFields(was.json, is.json, ""));
  else found.push(`content type ${was.type} → ${is.type}`);
  return found;
}

function headerOf({ headers }: ReceivedResponse, name: string): string {
  return String(headers[name.toLowerCase()] ?? "none");
}

/** The order of methods in Allow has no meaning, and with some frameworks it is another one after each start. */
function sortedList(header: string): string {
  return header
    .split(/\s*,\s*/)
    .sort()
    .join(", ");
}

/** @param path of the values, such as `user_group.tags[]` */
function changedFields(was: unknown, is: unknown, path: string): string[] {
  if (Array.isArray(was) && Array.isArray(is)) return changedItems(was, is, path);
  if (isObject(was) && isObject(is)) return changedProperties(was, is, path);
  const before = typeName(was);
  const now = typeName(is);
  return before === now ? [] : [`${path || "body"} ${before} → ${now}`];
}

/** The items of a list are alike, so the first ones are compared. */
function changedItems(was: readonly unknown[], is: readonly unknown[], path: string): string[] {
  const isOneEmpty = was.length === 0 || is.length === 0;
  return isOneEmpty ? [] : changedFields(was[0], is[0], `${path}[]`);
}

type Fields = Readonly<Record<string, unknown>>;

function changedProperties(was: Fields, is: Fields, path: string): string[] {
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  const removed = Object.keys(was).filter((name) => !Object.hasOwn(is, name));
  const added = Object.keys(is).filter((name) => !Object.hasOwn(was, name));
  const kept = Object.keys(was).filter((name) => Object.hasOwn(is, name));
  return [
    ...removed.map((name) => `- ${at(name)} (${typeName(was[name])})`),
    ...added.map((name) => `+ ${at(name)} (${typeName(is[name])})`),
    ...kept.flatMap((name) => changedFields(was[name], is[name], at(name))),
  ];
}

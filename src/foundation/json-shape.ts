import { isObject } from "./json.js";

/** Whether two JSON values have the same fields, of the same types. */
export function hasSameShape(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === 0 || other.length === 0 || hasSameShape(one[0], other[0]);
  if (!isObject(one) || !isObject(other)) return typeName(one) === typeName(other);
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && hasSameShape(one[name], other[name]))
  );
}

export function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/**
 * A copy of a JSON value. `map` replaces a value in it, or returns undefined to look into it; it gets the value that
 * `other` has at the same path too.
 */
export function mapJson(
  value: unknown,
  map: (value: unknown, path: string, other: unknown) => unknown,
  other?: unknown,
  rename = (name: string) => name,
  path = "",
): unknown {
  const mapped = map(value, path, other);
  if (mapped !== undefined || typeof value !== "object" || value === null) return mapped ?? value;
  const inner = ([name, one]: readonly [string, unknown]) =>
    mapJson(one, map, Object(other)[name], rename, `${path}/${name}`);
  if (Array.isArray(value)) return Object.entries(value).map(inner);
  return Object.fromEntries(Object.entries(value).map((entry) => [rename(entry[0]), inner(entry)]));
}

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

/** Whether two JSON values are equal, apart from the values at some paths, which only have to be alike. */
export function isEqualExcept(
  one: unknown,
  other: unknown,
  isExcepted: (path: string) => boolean,
  isAlike: (one: unknown, other: unknown) => boolean,
  path = "",
): boolean {
  if (isExcepted(path)) return isAlike(one, other);
  if (typeof one !== "object" || one === null || typeName(one) !== typeName(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(Object(other))]);
  return [...names].every((name) =>
    isEqualExcept(Object(one)[name], Object(other)[name], isExcepted, isAlike, `${path}/${name}`),
  );
}

/** A value with another one for each of its fields or items. A text, a number, a boolean and null stay. */
export function mapValues(
  value: unknown,
  map: (value: unknown, name: string) => unknown,
  rename = (name: string) => name,
): unknown {
  if (Array.isArray(value)) return value.map((one, i) => map(one, `${i}`));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [rename(name), map(one, name)]));
}

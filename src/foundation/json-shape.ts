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

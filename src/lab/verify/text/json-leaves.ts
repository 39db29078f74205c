/** A value without further values in it, and its path: /user_group/tags/* for each value of a list. */
export interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

export function jsonLeaves(value: unknown, path = ""): Leaf[] {
  if (typeof value !== "object" || value === null) return [{ path, value }];
  if (Array.isArray(value)) return value.flatMap((one) => jsonLeaves(one, `${path}/*`));
  return Object.entries(value).flatMap(([name, one]) => jsonLeaves(one, `${path}/${name}`));
}

/** A copy of a JSON value with other leaves. */
export function mapLeaves(value: unknown, map: (leaf: Leaf) => unknown, path = ""): unknown {
  if (typeof value !== "object" || value === null) return map({ path, value });
  if (Array.isArray(value)) return value.map((one) => mapLeaves(one, map, `${path}/*`));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, mapLeaves(one, map, `${path}/${name}`)]),
  );
}

/** A copy of a JSON value with other names of fields. */
export function renameFields(value: unknown, rename: (name: string) => string): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => renameFields(one, rename));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [rename(name), renameFields(one, rename)]),
  );
}

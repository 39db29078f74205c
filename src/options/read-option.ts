import { isAbsolute, join } from "node:path";
import { inspect } from "node:util";
import type { ValidateFunction } from "ajv";
import { defaultAssumed, withAssumptions } from "../contract/assumptions.js";
import { findProblems } from "../contract/schemas.js";
import { type OptionName, optionTable } from "./option-table.js";

/**
 * The value of an option, from text or from JavaScript. Throws what is wrong, as the end of a sentence that begins with
 * the option's name.
 * @param folder paths are relative to it; empty for the working directory
 */
export function readOption(
  name: OptionName,
  given: unknown,
  folder: string,
  validate: ValidateFunction,
): unknown {
  const located = (path: string) => (folder === "" || isAbsolute(path) ? path : join(folder, path));
  const value = mapPaths(name, fromText(name, given), located);
  const [problem] = findProblems(validate, { [name]: value });
  if (problem !== undefined) {
    const { writeOnly = false } = optionTable[name].schema;
    throw new Error(`${problem.message}${writeOnly ? "" : ` (given: ${shown(given)})`}`);
  }
  // A copy: later changes by the client must not reach the seed.
  if (name === "fixtures") return JSON.parse(JSON.stringify([value].flat()));
  if (name === "profile") return JSON.parse(JSON.stringify(value));
  return name === "assume" ? readAssumptions(value as object) : value;
}

/** Changes each path of an option that has paths. A fixture may be an object. */
export function mapPaths(name: OptionName, value: unknown, change: (path: string) => string): unknown {
  if (!optionTable[name].isPath) return value;
  const changed = (one: unknown) => (typeof one === "string" && one !== "" ? change(one) : one);
  return Array.isArray(value) ? value.map(changed) : changed(value);
}

function shown(given: unknown): string {
  return typeof given === "string" ? JSON.stringify(given) : inspect(given, { breakLength: 1e9 });
}

/** Text as a value of the option's type. Other text stays as it is, and the schema rejects it. */
function fromText(name: OptionName, given: unknown): unknown {
  const { schema, isList } = optionTable[name];
  const value = isList && typeof given === "string" ? given.split(",") : given;
  if (schema.type === "object" && Array.isArray(value)) return Object.fromEntries(value.map(readPair));
  if (typeof value !== "string") return value;
  if (schema.type === "integer" && /^\d+$/.test(value)) return Number(value);
  if (schema.type === "boolean" && /^(true|false|1|0)$/.test(value)) return value === "true" || value === "1";
  if (name !== "bodyLimit") return value;
  const [, digits, unit = "b"] = /^(\d+) ?(b|kb|mb)?$/i.exec(value) ?? [];
  return digits === undefined
    ? value
    : Number(digits) * 1000 ** ["b", "kb", "mb"].indexOf(unit.toLowerCase());
}

function readPair(pair: unknown): [name: string, value: string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(String(pair)) ?? [];
  if (name === undefined || value === undefined)
    throw new Error(`must be name=value (given: ${shown(pair)})`);
  return [name, value];
}

function readAssumptions(given: object): Record<string, string> {
  withAssumptions(defaultAssumed, { ...given }, "set");
  return Object.fromEntries(Object.entries(given).map(([id, value]) => [id, String(value)]));
}

import type { ValidateFunction } from "ajv";
import { problemsOf } from "../contract/problems.js";
import { isObject } from "../foundation/json.js";
import { asError, MockError } from "../foundation/mock-error.js";
import { nearest } from "../foundation/nearest.js";
import { readJson } from "../foundation/read-json.js";
import { defaultAssumptions, withAssumptions } from "../service/assumptions.js";
import { type OptionName, optionTable } from "./option-table.js";

/** Options of one place. Text has become numbers, switches and lists; an `assumeFile` has become its content. */
export type ReadValues = { [Name in OptionName]?: unknown };

/** What is wrong with an option, as the end of a sentence that begins with its name. */
type Refuse = (name: OptionName, reason: string) => void;

/** Reads the options of one place: converts text, then validates with the schema. Leaves out what it refuses. */
export function readOptions(given: ReadValues, validate: ValidateFunction, refuse: Refuse): ReadValues {
  const names = Object.keys(given) as OptionName[];
  const values: ReadValues = Object.fromEntries(names.map((name) => [name, fromText(name, given[name])]));
  for (const { path, message } of problemsOf(validate, withoutContent(values))) {
    const name = path.split("/")[1] as OptionName;
    delete values[name];
    const { writeOnly = false } = optionTable[name].schema;
    refuse(name, ` ${message}${writeOnly ? "" : ` (given: ${shown(given[name])})`}`);
  }
  for (const name of ["fixtures", "assume", "assumeFile", "set"] as const) {
    if (!(name in values)) continue;
    try {
      values[name] = readers[name](values[name]);
    } catch (error) {
      delete values[name];
      for (const reason of reasonsOf(error)) refuse(name, reason);
    }
  }
  return values;
}

/** JavaScript callers may pass what JSON cannot write, such as a BigInt. */
function shown(given: unknown): string {
  try {
    return JSON.stringify(given) ?? String(given);
  } catch {
    return String(given);
  }
}

/** Fixtures, assumptions and variables are validated later, in their own words. */
function withoutContent({ assume, set, ...values }: ReadValues): ReadValues {
  if (!("fixtures" in values)) return values;
  return { ...values, fixtures: [values.fixtures].flat().map((one) => (isObject(one) ? {} : one)) };
}

function reasonsOf(error: unknown): readonly string[] {
  if (!(error instanceof MockError) || error.details.length === 0) return [` ${asError(error).message}`];
  return error.details.map(({ file, message }) => `: ${file === undefined ? "" : `${file}: `}${message}`);
}

const units: Readonly<Record<string, number>> = { b: 1, kb: 1_000, mb: 1_000_000 };

const switches = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Text as a value of the option's type. Other text stays as it is, and the schema refuses it. */
function fromText(name: OptionName, given: unknown): unknown {
  const { schema, flag } = optionTable[name];
  if (typeof given !== "string") return given;
  if (flag === "list") return given.split(",");
  if (schema.type === "integer" && /^\d+$/.test(given)) return Number(given);
  if (schema.type === "boolean") return switches.get(given) ?? given;
  if (name !== "bodyLimit") return given;
  const [, digits, unit = "b"] = /^(\d+) ?(b|kb|mb)?$/i.exec(given) ?? [];
  return digits === undefined ? given : Number(digits) * (units[unit.toLowerCase()] ?? 1);
}

const readers = {
  // A copy: later changes by the caller must not reach the seed.
  fixtures: (value: unknown): unknown => JSON.parse(JSON.stringify([value].flat())),
  assume: readAssumptions,
  assumeFile: readAssumptionFile,
  set: readVariables,
};

function readAssumptions(given: unknown): Record<string, string> {
  if (typeof given !== "object" || given === null) throw new Error("must be id=value");
  const chosen = Array.isArray(given) ? Object.fromEntries(given.map(readPair)) : { ...given };
  withAssumptions(defaultAssumptions, chosen);
  return Object.fromEntries(Object.entries(chosen).map(([id, value]) => [id, String(value)]));
}

function readPair(pair: unknown): [string, string] {
  const [, id, value] = /^([^=]+)=(.+)$/.exec(String(pair)) ?? [];
  if (id === undefined || value === undefined)
    throw new Error(`must be id=value (given: ${JSON.stringify(pair)})`);
  return [id, value];
}

const placeholders = ["url", "apiToken"];

/** Environment variables to set, from an object or from a list of `NAME=text`. */
function readVariables(given: unknown): Record<string, string> {
  const pairs = isObject(given) ? Object.entries(given) : [given].flat().map(readVariable);
  for (const [name, text] of pairs) {
    if (!/^[A-Za-z_]\w*$/.test(name) || typeof text !== "string") {
      throw new Error(`must be NAME=text, such as API_URL={url} (given: ${shown(given)})`);
    }
    for (const [placeholder, word = ""] of text.matchAll(/\{(\w+)\}/g)) {
      const meant = placeholders.includes(word) ? undefined : nearest(word, placeholders);
      if (meant !== undefined)
        throw new Error(`${name}: there is no ${placeholder}; did you mean {${meant}}?`);
    }
  }
  return Object.fromEntries(pairs) as Record<string, string>;
}

function readVariable(pair: unknown): [name: string, text: string | undefined] {
  const [, name = "", text] = /^([^=]*)=(.*)$/s.exec(String(pair)) ?? [];
  return [name, text];
}

/** Reads a file that `verify --out` wrote. */
export function readAssumptionFile(file: unknown): Record<string, string> {
  let json: unknown;
  try {
    json = readJson(String(file));
  } catch (error) {
    throw new Error(`${file} cannot be read: ${asError(error).message}`);
  }
  if (!isObject(json)) {
    throw new Error(
      `must name a file with a JSON object of ids and values, and ${file} holds something else`,
    );
  }
  try {
    return readAssumptions(json);
  } catch (error) {
    if (!(error instanceof MockError)) throw error;
    const problems = error.details.map((problem) => ({ ...problem, file: String(file) }));
    throw new MockError(error.code, error.summary, problems);
  }
}

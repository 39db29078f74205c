import { isAbsolute, join } from "node:path";
import { isObject } from "../foundation/json.js";
import { MockError, thrown } from "../foundation/mock-error.js";
import { readJson } from "../foundation/read-json.js";
import type { Fixture } from "../generated/types.js";
import {
  assumptionIds,
  assumptions,
  defaultAssumptions,
  valuesOf,
  withAssumptions,
} from "../service/assumptions.js";

/** How an option is written and read, wherever it is given. */
export interface OptionKind<Value> {
  /** What the command line expects: one value, several, or none. */
  readonly flag: "value" | "list" | "switch";
  /** The type of the option in `MockOptions`. */
  readonly type: string;
  /** Of the option in a config file. */
  readonly jsonSchema: () => object;
  /** Parses text or JSON. Throws the reason when it is no such value. */
  readonly read: (given: unknown) => Value;
  /** A default, as help and `docs/options.md` show it. */
  readonly show: (value: Value) => string;
  /** The same value with paths that are seen from another folder. */
  readonly resolve: (given: unknown, folder: string) => unknown;
}

type KindParts<Value> = Pick<OptionKind<Value>, "type" | "read"> &
  Partial<Pick<OptionKind<Value>, "flag" | "show" | "resolve">> & {
    readonly jsonSchema: object | (() => object);
  };

function kind<Value>({ jsonSchema, ...parts }: KindParts<Value>): OptionKind<Value> {
  return {
    flag: "value",
    show: String,
    resolve: (given) => given,
    jsonSchema: typeof jsonSchema === "function" ? (jsonSchema as () => object) : () => jsonSchema,
    ...parts,
  };
}

const textSchema = { type: "string", minLength: 1 };
const fixtureSchema = { anyOf: [textSchema, { $ref: "fixture.json" }] };

export const kinds = {
  port: kind({
    type: "number",
    jsonSchema: { type: "integer", minimum: 0, maximum: 65_535 },
    read: readPort,
    show: (port) => (port === 0 ? "a free one" : String(port)),
  }),
  count: kind({
    type: "number",
    jsonSchema: { type: "integer", minimum: 1 },
    read: readCount,
  }),
  bytes: kind({
    type: "number | string",
    jsonSchema: { type: ["integer", "string"] },
    read: readBytes,
    show: (bytes) => `${bytes / 1000}kb`,
  }),
  text: kind({ type: "string", jsonSchema: textSchema, read: readText }),
  path: kind({ type: "string", jsonSchema: textSchema, read: readText, resolve: fromFolder }),
  texts: kind({
    flag: "list",
    type: "string | readonly string[]",
    jsonSchema: { anyOf: [textSchema, { type: "array", items: textSchema }] },
    read: readTexts,
    show: () => "",
  }),
  secret: kind({ type: "string", jsonSchema: textSchema, read: readSecret }),
  switch: kind({
    flag: "switch",
    type: "boolean",
    jsonSchema: { type: "boolean" },
    read: readSwitch,
    show: (isOn) => (isOn ? "on" : "off"),
  }),
  log: kind({
    type: "LogStyle",
    jsonSchema: { enum: ["pretty", "json", "silent"] },
    read: readLogStyle,
  }),
  fixtures: kind({
    flag: "list",
    type: "string | Fixture | readonly (string | Fixture)[]",
    jsonSchema: { anyOf: [...fixtureSchema.anyOf, { type: "array", items: fixtureSchema }] },
    read: readFixtureList,
    show: () => "",
    resolve: (given, folder) => listOf(given).map((one) => fromFolder(one, folder)),
  }),
  assumptions: kind({
    flag: "list",
    type: "AssumptionChoice",
    jsonSchema: () => ({
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(
        assumptionIds.map((id) => [id, { enum: valuesOf(id), description: assumptions[id].question }]),
      ),
    }),
    read: readAssumptions,
    show: () => "",
  }),
  assumptionFile: kind({
    type: "string",
    jsonSchema: textSchema,
    read: readAssumptionFile,
    resolve: fromFolder,
  }),
};

function fromFolder(given: unknown, folder: string): unknown {
  return typeof given === "string" && given !== "" && !isAbsolute(given) ? join(folder, given) : given;
}

/** Text may be a list with commas, as in an environment variable. */
function listOf(given: unknown): unknown[] {
  if (Array.isArray(given)) return given;
  return typeof given === "string" ? given.split(",") : [given];
}

function readPort(given: unknown): number {
  const value = numberOf(given);
  if (Number.isInteger(value) && value >= 0 && value <= 65_535) return value;
  throw new Error(`must be a port from 0 to 65535, not ${JSON.stringify(given)}`);
}

function readCount(given: unknown): number {
  const value = numberOf(given);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`must be a whole number from 1, not ${JSON.stringify(given)}`);
}

function numberOf(given: unknown): number {
  if (typeof given === "number") return given;
  return typeof given === "string" && /^\d+$/.test(given) ? Number(given) : Number.NaN;
}

/** A string in V8 is shorter than 2^29 characters, and the journal shows one byte with up to six. */
const maxBodyBytes = 80_000_000;

const units: Readonly<Record<string, number>> = { b: 1, kb: 1_000, mb: 1_000_000 };

function readBytes(given: unknown): number {
  const [, digits, unit = "b"] = /^(\d+) ?(b|kb|mb)?$/i.exec(String(given)) ?? [];
  const value = Number(digits) * (units[unit.toLowerCase()] ?? Number.NaN);
  if (value > 0 && value <= maxBodyBytes) return value;
  throw new Error(`must be a size like 100kb, at most 80mb, not ${JSON.stringify(given)}`);
}

function readText(given: unknown): string {
  if (typeof given === "string" && given !== "") return given;
  throw new Error(`must be text, not ${JSON.stringify(given)}`);
}

function readTexts(given: unknown): readonly string[] {
  return (Array.isArray(given) ? given : String(given).split(",")).map(readText);
}

/** The message must not repeat the value. */
function readSecret(given: unknown): string {
  if (typeof given === "string" && /^[\x21-\x7e]+$/.test(given)) return given;
  throw new Error("must be one text of printable ASCII characters without spaces, as it travels in a header");
}

function readSwitch(given: unknown): boolean {
  if (given === true || given === "true" || given === "1") return true;
  if (given === false || given === "false" || given === "0") return false;
  throw new Error(`must be true or false, not ${JSON.stringify(given)}`);
}

/**
 * How calls are logged.
 * @example "pretty"
 */
export type LogStyle = "pretty" | "json" | "silent";

function readLogStyle(given: unknown): LogStyle {
  if (given === "pretty" || given === "json" || given === "silent") return given;
  throw new Error(`must be pretty, json or silent, not ${JSON.stringify(given)}`);
}

function readFixtureList(given: unknown): readonly (string | Fixture)[] {
  return listOf(given).map((item) => {
    // The schema validates it later. A copy: later changes by the caller must not reach the seed.
    if (typeof item === "object" && item !== null) return JSON.parse(JSON.stringify(item));
    return readText(item);
  });
}

function readAssumptions(given: unknown): Record<string, unknown> {
  const choice = typeof given === "string" ? given.split(",") : given;
  if (typeof choice !== "object" || choice === null) throw new Error("must be id=value");
  const chosen = Array.isArray(choice) ? Object.fromEntries(choice.map(readPair)) : { ...choice };
  withAssumptions(defaultAssumptions, chosen);
  return chosen;
}

function readPair(pair: unknown): [string, string] {
  const [, id, value] = /^([^=]+)=(.+)$/.exec(String(pair)) ?? [];
  if (id === undefined || value === undefined)
    throw new Error(`must be id=value, not ${JSON.stringify(pair)}`);
  return [id, value];
}

function readAssumptionFile(given: unknown): Record<string, unknown> {
  const file = readText(given);
  let json: unknown;
  try {
    json = readJson(file);
  } catch (error) {
    throw new Error(`${file} cannot be read: ${thrown(error).message}`);
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
    throw new MockError(
      error.code,
      error.summary,
      error.details.map((problem) => ({ ...problem, file })),
    );
  }
}

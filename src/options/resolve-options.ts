import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { inspect } from "node:util";
import type { ValidateFunction } from "ajv";
import { assumptionProblems, isAssumption, situationsOf } from "../fake/contract/assumptions.js";
import { MockError } from "../fake/contract/mock-error.js";
import { findProblems } from "../fake/contract/schemas.js";
import { isObject } from "../foundation/json.js";
import { asError, type LocatedProblem } from "../foundation/located-problem.js";
import { hint } from "../foundation/nearest.js";
import { readJson } from "../foundation/read-json.js";
import type { Fixture, MockOptions, Problem, Profile } from "../generated/types.js";
import { isOptionName, type OptionName, optionNames, optionTable, type Use } from "./option-table.js";

type WithDefault = "port" | "host" | "seed" | "journalSize" | "exitWithParent" | "log";

/** The options of a mock with all defaults filled in, as the server needs them. */
export interface Settings extends Readonly<Required<Pick<MockOptions, WithDefault>>> {
  readonly adminToken: string | undefined;
  readonly fixtures: readonly (string | Fixture)[];
  readonly profile: readonly (string | Profile)[];
  readonly allowHost: readonly string[];
  /** In bytes. */
  readonly bodyLimit: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly assume: Readonly<Record<string, string>>;
  /** The assumptions of flags and of `startMock`: not those of the environment or the default config file. */
  readonly pins: Settings["assume"];
  /** The shared options that were passed, for the mocks of a run. */
  readonly shared: Readonly<Record<string, unknown>>;
  /** Environment variables to set, with the placeholders `{url}` and `{apiToken}`. */
  readonly set: Readonly<Record<string, string>>;
  /** Where the log goes: standard output by default. */
  readonly logTo?: "stderr";
}

/** The options of one place, as they were passed there. */
export interface OptionSource {
  /** "startMock", "environment", a file name: shown in messages. */
  readonly place: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Paths are relative to this folder. By default, it is the working directory. */
  readonly folder?: string;
  /** How an option is spelled there: `--body-limit`, `USERGROUP_MOCK_BODY_LIMIT`. */
  readonly spell?: (name: string) => string;
  /** Whether its assumptions stay under `exec` and `explore`. */
  readonly pins?: boolean;
}

type Values = { [Name in OptionName]?: unknown };

/**
 * Merges the options of several places; the first place wins. Reports the problems of all places at once.
 * @param fromRun the shared options of the run around this mock. They override the environment and the default config
 * file.
 */
export async function resolveOptions(
  sources: readonly OptionSource[],
  use: Use,
  fromRun: Settings["shared"] = {},
): Promise<Settings> {
  const { validators } = await import("../generated/validators.mjs");
  const problems: LocatedProblem[] = [];
  const read = (source: OptionSource) => readSource(source, validators["config.json"], problems);
  const places = sources.map(read);
  // The first config file counts, and comes last. The config file that it may name is not read.
  const naming = places.find(({ values }) => values.config !== undefined);
  if (naming) places.push(read({ ...configFile(String(naming.values.config)), pins: naming.pins }));
  const defaults = Object.fromEntries(optionNames.map((name) => [name, optionTable[name].defaults[use]]));
  const { config, tlsCert, tlsKey, ...values } = mergePlaces([
    ...places,
    read({ place: "defaults", options: { ...defaults, fixtures: [], profile: [], allowHost: [] } }),
  ]);
  if (problems.length > 0) throw new MockError("invalid_option", "Invalid options:", problems);
  const tls = readTls(tlsCert, tlsKey);
  const own = mergePlaces(places.filter((place) => place.pins));
  const taken = Object.fromEntries(Object.entries(fromRun).filter(([name]) => !(name in own)));
  const given = mergePlaces(places);
  const shared = optionNames
    .filter((name) => optionTable[name].isShared && given[name] !== undefined)
    .map((name) => [name, given[name]]);
  // The schema has validated each value.
  return {
    ...values,
    ...taken,
    shared: { ...Object.fromEntries(shared), ...taken },
    pins: own.assume,
    tls,
  } as Settings;
}

function readSource(source: OptionSource, validate: ValidateFunction, problems: LocatedProblem[]) {
  const { place, options, folder = "", spell = (name) => name, pins = false } = source;
  const report = (message: string) => problems.push({ file: place, path: "", message });
  const values: Values = {};
  for (const [name, given] of Object.entries(options)) {
    // An editor reads $schema.
    if (given === undefined || name === "$schema") continue;
    if (!isOptionName(name)) {
      report(`unknown option ${spell(name)}${hint(spell(name), optionNames.map(spell))}`);
      continue;
    }
    const value = readOption(name, given, folder);
    const found = problemsOf(name, value, validate);
    const ending = optionTable[name].schema.writeOnly
      ? ""
      : ` (given: ${shown(given)}${pairHint(name, given)})`;
    // `--assume old-tokn` from `/assume/old-tokn`
    for (const { path, message } of found)
      report(`${spell(name)}${path.slice(name.length + 1).replace("/", " ")} ${message}${ending}`);
    // A copy: later changes by the client must not reach the seed.
    values[name] = found.length === 0 ? JSON.parse(JSON.stringify(value)) : undefined;
  }
  return { values, pins };
}

/** The schema knows that assumptions are an object, and the tables know what can be assumed. */
function problemsOf(name: OptionName, value: unknown, validate: ValidateFunction): readonly Problem[] {
  const found = findProblems(validate, { [name]: value });
  if (name !== "assume" || found.length > 0) return found;
  return assumptionProblems(value).map(({ path, message }) => ({ path: `/assume${path}`, message }));
}

/** The value of an option, from text or from JavaScript. Its paths are absolute. */
function readOption(name: OptionName, given: unknown, folder: string): unknown {
  const { isPath } = optionTable[name];
  const value = fromText(name, given);
  // A fixture or a profile may be an object.
  const located = (one: unknown) => (isPath && typeof one === "string" && one ? resolve(folder, one) : one);
  return name === "fixtures" || name === "profile" ? [value].flat().map(located) : located(value);
}

/** An object is written as pairs in a flag or a variable. */
function pairHint(name: OptionName, given: unknown): string {
  const isText = typeof given === "string" || Array.isArray(given);
  const isPairs = [given].flat().every((pair) => `${pair}`.includes("="));
  return optionTable[name].schema.type === "object" && isText && !isPairs ? "; write name=value" : "";
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

/** Of `name=value`. The schema rejects a name without a value. */
function readPair(pair: unknown): [name: string, value: string | null] {
  const [name = "", value = null] = String(pair).split(/=(.*)/s);
  return [name, value];
}

/** Assumptions and situations of several places. An assumption overrides the situations that it is about. */
function mergeAssumptions(lastFirst: readonly unknown[]): Readonly<Record<string, unknown>> {
  let merged: Readonly<Record<string, unknown>> = {};
  for (const one of lastFirst) {
    if (!isObject(one)) continue;
    const overridden = Object.keys(one).filter(isAssumption).flatMap(situationsOf);
    const kept = Object.entries(merged).filter(([name]) => !overridden.some((id) => id === name));
    merged = { ...Object.fromEntries(kept), ...one };
  }
  return merged;
}

/** The options of all places, the first place on top. The assumptions and variables of all places add up. */
function mergePlaces(places: readonly { readonly values: Values }[]): Values {
  const lastFirst = places.map((place) => place.values).toReversed();
  const values: Values = Object.assign({}, ...lastFirst);
  return {
    ...values,
    assume: mergeAssumptions(lastFirst.map(({ assume }) => assume)),
    set: Object.assign({}, ...lastFirst.map(({ set }) => set)),
  };
}

/** The options of a JSON file. */
export function configFile(path: string): OptionSource {
  try {
    const json = readJson(path);
    if (!isObject(json)) throw new Error("it must be a JSON object of options");
    return { place: path, options: json, folder: dirname(path) };
  } catch (error) {
    const reason = asError(error).message;
    throw new MockError("invalid_option", `The config file ${resolve(path)} cannot be read: ${reason}.`);
  }
}

function readTls(certFile: unknown, keyFile: unknown): Settings["tls"] {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined)
    throw new MockError("invalid_option", "HTTPS needs a certificate and its key: --tls-cert and --tls-key.");
  try {
    const tls = { cert: readFileSync(String(certFile)), key: readFileSync(String(keyFile)) };
    // Not an import: few mocks use HTTPS, and node:tls takes longer to load than most of the mock.
    process.getBuiltinModule("node:tls").createSecureContext(tls);
    return tls;
  } catch (error) {
    const reason = asError(error).message;
    throw new MockError("invalid_option", `The certificate or its key cannot be used: ${reason}.`);
  }
}

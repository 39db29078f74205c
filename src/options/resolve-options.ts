import { readFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { ValidateFunction } from "ajv";
import { isObject } from "../foundation/json.js";
import { asError, type LocatedProblem, MockError } from "../foundation/mock-error.js";
import { hint } from "../foundation/nearest.js";
import { readJson } from "../foundation/read-json.js";
import type { Fixture, MockOptions } from "../generated/types.js";
import { isOptionName, optionNames, optionTable, sharedOptions, type Use } from "./option-table.js";
import { type ReadValues, readOptions } from "./read-options.js";

type WithDefault = "port" | "host" | "seed" | "journalSize" | "maxWorlds" | "exitWithParent" | "log";
type WithoutDefault = "schemas" | "adminToken" | "readyFile" | "report";

/** The options of a mock with all defaults filled in, as the server needs them. */
export interface Settings
  extends Readonly<Required<Pick<MockOptions, WithDefault>>>,
    Readonly<Record<WithoutDefault, string | undefined>> {
  readonly fixtures: readonly (string | Fixture)[];
  readonly allowHost: readonly string[];
  /** In bytes. */
  readonly bodyLimit: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly assume: Readonly<Record<string, string>>;
  /** The assumptions that were given here and now, not in the environment or a file that lies around. */
  readonly pins: Settings["assume"];
  /** Those of `sharedOptions` that were given, for the mocks of a run. Paths are absolute. */
  readonly shared: Readonly<Record<string, unknown>>;
  /** Environment variables to set, with the placeholders `{url}` and `{apiToken}`. */
  readonly set: Readonly<Record<string, string>>;
  /** Where the log goes: standard output by default. */
  readonly logTo?: "stderr";
}

/** The options of one place, as they were given there. */
export interface OptionSource {
  /** "startMock", "environment", a file name: shown in messages. */
  readonly place: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** How an option is spelled there: `--body-limit`, `USERGROUP_MOCK_BODY_LIMIT`. */
  readonly spell?: (name: string) => string;
  /** Whether its assumptions stay under `exec` and `explore`. */
  readonly pins?: boolean;
}

/**
 * Merges the options of several places; the first place wins. Reports the problems of all places at once.
 * @param fromRun the shared options of the run around this mock. They beat the environment and files that lie around.
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
  try {
    if (naming) places.push(read({ ...configFile(String(naming.values.config)), pins: naming.pins }));
  } catch (error) {
    problems.push({ path: "", message: asError(error).message });
  }
  const defaults = Object.fromEntries(optionNames.map((name) => [name, optionTable[name].defaults[use]]));
  const { assumeFile, config, tlsCert, tlsKey, ...values } = mergePlaces([
    ...places,
    read({ place: "defaults", options: { ...defaults, fixtures: [], allowHost: [] } }),
  ]);
  const tls = readTls(tlsCert, tlsKey, problems);
  if (problems.length > 0) throw new MockError("invalid_option", "These options cannot be used:", problems);
  const own = mergePlaces(places.filter((place) => place.pins));
  const taken = Object.fromEntries(Object.entries(fromRun).filter(([name]) => !(name in own)));
  const shared = { ...sharedOf(mergePlaces(places)), ...taken };
  // The schema has validated each value.
  return { ...values, ...taken, shared, pins: own.assume, tls } as unknown as Settings;
}

function sharedOf(given: ReadValues): Settings["shared"] {
  // A fixture may be an object.
  const absolute = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(absolute) : typeof value === "string" ? resolve(value) : value;
  const values = sharedOptions
    .filter((name) => given[name] !== undefined)
    .map((name) => [name, optionTable[name].isPath ? absolute(given[name]) : given[name]]);
  return Object.fromEntries(values);
}

interface Place {
  readonly values: ReadValues;
  readonly pins: boolean;
}

function readSource(source: OptionSource, validate: ValidateFunction, problems: LocatedProblem[]): Place {
  const { place, options, spell = (name) => name, pins = false } = source;
  const report = (message: string) => problems.push({ file: place, path: "", message });
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name] of given) {
    if (!isOptionName(name)) report(`there is no ${spell(name)}${hint(spell(name), optionNames.map(spell))}`);
  }
  const known = Object.fromEntries(given.filter(([name]) => isOptionName(name)));
  return { values: readOptions(known, validate, (name, reason) => report(spell(name) + reason)), pins };
}

/** The options of all places, the first place on top. The assumptions and variables of all places add up. */
function mergePlaces(places: readonly Place[]): ReadValues {
  const lastFirst = places.map((place) => place.values).toReversed();
  const values: ReadValues = Object.assign({}, ...lastFirst);
  return {
    ...values,
    assume: Object.assign({}, values.assumeFile, ...lastFirst.map(({ assume }) => assume)),
    set: Object.assign({}, ...lastFirst.map(({ set }) => set)),
  };
}

/** The options of a JSON file. Its paths are relative to it. */
export function configFile(path: string): OptionSource {
  let json: unknown;
  try {
    json = readJson(path);
  } catch (error) {
    throw new MockError(
      "invalid_option",
      `The config file ${path} cannot be read: ${asError(error).message}`,
    );
  }
  if (!isObject(json)) {
    throw new MockError("invalid_option", `The config file ${path} must hold a JSON object of options.`);
  }
  const { $schema, ...options } = json;
  const fromFile = (value: unknown) =>
    typeof value === "string" && value !== "" && !isAbsolute(value) ? join(dirname(path), value) : value;
  const resolved = Object.entries(options).map(([name, value]) => {
    if (!isOptionName(name) || !optionTable[name].isPath) return [name, value];
    if (optionTable[name].flag !== "list") return [name, fromFile(value)];
    return [name, (typeof value === "string" ? value.split(",") : [value].flat()).map(fromFile)];
  });
  return { place: path, options: Object.fromEntries(resolved) };
}

function readTls(certFile: unknown, keyFile: unknown, problems: LocatedProblem[]): Settings["tls"] {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) {
    const message = "HTTPS needs both the certificate and its key: --tls-cert and --tls-key";
    problems.push({ path: "", message });
    return undefined;
  }
  try {
    const tls = { cert: readFileSync(String(certFile)), key: readFileSync(String(keyFile)) };
    // Not an import: few mocks speak HTTPS, and node:tls takes longer to load than most of the mock.
    process.getBuiltinModule("node:tls").createSecureContext(tls);
    return tls;
  } catch (error) {
    const message = `The certificate or its key cannot be used: ${asError(error).message}`;
    problems.push({ path: "", message });
    return undefined;
  }
}

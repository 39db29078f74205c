import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { type LocatedProblem, MockError, thrown } from "../contract/mock-error.js";
import { hint } from "../contract/nearest.js";
import type { Fixture } from "../contract/types.js";
import { type AssumptionChoice, defaultAssumptions, withAssumptions } from "../service/assumptions.js";

/** How a fake is started. Everything may be left out. */
export interface MockOptions {
  /** Where to listen; 0, the default of `startMock`, takes a free port. */
  port?: number;
  /** The address to listen on. */
  host?: string;
  /**
   * Files, folders of files, or fixtures as objects: together they are the seed.
   * @example fixtures: ["test/fixtures", { teams: [{ team_id: 9, api_tokens: ["t9"] }] }]
   */
  fixtures?: string | Fixture | readonly (string | Fixture)[];
  /** A folder of stricter schemas, laid over the shipped ones by file name. */
  schemas?: string;
  /** @example assume: { "old-token": "accepted" } */
  assume?: AssumptionChoice;
  /** A JSON file with an object of assumptions, as `verify --out` writes it; `assume` beats it. */
  assumeFile?: string;
  /** What tokens are derived from; `random` makes them unpredictable. */
  seed?: string;
  /** The largest body of a call, in bytes or as text. @example bodyLimit: "1mb" */
  bodyLimit?: number | string;
  /** How many calls the journal of a world keeps. */
  journalSize?: number;
  /** How many worlds there can be. */
  maxWorlds?: number;
  /** File with the certificate, in PEM: then the fake speaks HTTPS. */
  tlsCert?: string;
  /** File with the certificate's key, in PEM. */
  tlsKey?: string;
  /** A file to write the URL into once the fake listens. */
  readyFile?: string;
  /** Stop when standard input closes, as it does when the parent process ends. */
  exitWithParent?: boolean;
  /** One line a call on standard output: `pretty` for people, `json` for programs, `silent` for none. */
  log?: LogStyle;
  /** A JSON file with any of these options; what is given beside it wins. */
  config?: string;
}

export type LogStyle = "pretty" | "json" | "silent";

/** The same, with nothing left out. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly fixtures: readonly (string | Fixture)[];
  readonly schemas: string | undefined;
  readonly assume: Readonly<Record<string, unknown>>;
  readonly seed: string;
  readonly bodyLimit: number;
  readonly journalSize: number;
  readonly maxWorlds: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly readyFile: string | undefined;
  readonly exitWithParent: boolean;
  readonly log: LogStyle;
}

export type OptionName = keyof MockOptions;

interface OptionSpec {
  readonly describe: string;
  /** As `--help` and the README show it. */
  readonly fallback: string;
  /** The value that text or JSON stands for; throws the reason when it stands for none. */
  readonly read: (given: unknown) => unknown;
  /** How the command line takes it. */
  readonly flag: "value" | "list" | "switch";
}

/** Every option, once: flags, environment, config file, `startMock`, `--help` and the README come from here. */
export const optionTable = {
  port: { flag: "value", describe: "Port to listen on; 0 takes a free one", fallback: "4010", read: port },
  host: { flag: "value", describe: "Address to listen on", fallback: "127.0.0.1", read: text },
  fixtures: {
    flag: "list",
    describe: "File or folder of teams and groups to start with; may be repeated",
    fallback: "the shipped one",
    read: fixtures,
  },
  schemas: {
    flag: "value",
    describe: "Folder of stricter JSON Schemas, laid over the shipped ones by file name",
    fallback: "the shipped ones",
    read: text,
  },
  assume: {
    flag: "list",
    describe: "Answer an open question about the service otherwise: id=value; may be repeated",
    fallback: "",
    read: assume,
  },
  assumeFile: {
    flag: "value",
    describe: "JSON file with an object of assumptions, as verify --out writes it",
    fallback: "",
    read: assumeFile,
  },
  seed: {
    flag: "value",
    describe: "What tokens are derived from; random makes them unpredictable",
    fallback: "fixed",
    read: text,
  },
  bodyLimit: { flag: "value", describe: "Largest body of a call", fallback: "100kb", read: bytes },
  journalSize: {
    flag: "value",
    describe: "Calls that the journal of a world keeps",
    fallback: "1000",
    read: count,
  },
  maxWorlds: { flag: "value", describe: "Worlds that there can be", fallback: "10000", read: count },
  tlsCert: { flag: "value", describe: "Certificate file (PEM), to speak HTTPS", fallback: "", read: text },
  tlsKey: { flag: "value", describe: "Key file (PEM) of the certificate", fallback: "", read: text },
  readyFile: {
    flag: "value",
    describe: "File to write the URL into once it listens",
    fallback: "",
    read: text,
  },
  exitWithParent: {
    flag: "switch",
    describe: "End when standard input closes",
    fallback: "off",
    read: onOrOff,
  },
  log: {
    flag: "value",
    describe: "One line a call: pretty, json or silent",
    fallback: "pretty",
    read: logStyle,
  },
  config: {
    flag: "value",
    describe: "JSON file with any of these options, by their camelCase names",
    fallback: "usergroup-mock.config.json if there",
    read: text,
  },
} as const satisfies Record<OptionName, OptionSpec>;

export const optionNames = Object.keys(optionTable) as readonly OptionName[];

/** The options of one place, as they were given there. */
export interface OptionSource {
  /** "startMock", "the environment", a file name: said in messages. */
  readonly place: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** How an option is spelled there: `--body-limit`, `USERGROUP_MOCK_BODY_LIMIT`. */
  readonly spell?: (name: string) => string;
  /** What holds where nobody says otherwise: a file that another place names beats it too. */
  readonly isFallback?: true;
}

/** One set of options from several places; what stands first wins. Every problem of every place at once. */
export function settle(sources: readonly OptionSource[]): Settings {
  const merged: Record<string, unknown> = {};
  const problems: LocatedProblem[] = [];
  const all = [...sources];
  // The file that is named first counts; one that names itself must not be read for ever.
  let configured = false;
  for (const source of all) {
    const spell = source.spell ?? ((name: string) => name);
    for (const [name, given] of Object.entries(source.options)) {
      if (given === undefined) continue;
      if (!isOptionName(name)) {
        const known = optionNames.map(spell);
        const message = `there is no ${spell(name)}${hint(spell(name), known)}`;
        problems.push({ file: source.place, path: "", message });
        continue;
      }
      try {
        const value = optionTable[name].read(given);
        merged[name] =
          name === "assume" ? { ...(value as object), ...(merged[name] as object) } : (merged[name] ?? value);
        // A file named by one place stands behind all places, but before what holds where nobody says otherwise.
        if (name === "config" && !configured) {
          configured = true;
          const end = all.findIndex(({ isFallback }) => isFallback);
          all.splice(end === -1 ? all.length : end, 0, configFile(String(value)));
        }
      } catch (error) {
        problems.push({ file: source.place, path: "", message: `${spell(name)} ${thrown(error).message}` });
      }
    }
  }
  const tls = readTls(merged, problems);
  if (problems.length > 0) throw new MockError("invalid_option", "These options cannot be used:", problems);
  // Each value has come through the `read` of its option.
  const read = merged as Partial<Settings>;
  return {
    port: read.port ?? 0,
    host: read.host ?? "127.0.0.1",
    fixtures: read.fixtures ?? [],
    schemas: read.schemas,
    assume: { ...(merged.assumeFile as object), ...read.assume },
    seed: read.seed ?? "usergroup-mock",
    bodyLimit: read.bodyLimit ?? 100_000,
    journalSize: read.journalSize ?? 1_000,
    maxWorlds: read.maxWorlds ?? 10_000,
    tls,
    readyFile: read.readyFile,
    exitWithParent: read.exitWithParent ?? false,
    log: read.log ?? "silent",
  };
}

/** The options of a JSON file. */
export function configFile(path: string): OptionSource {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new MockError("invalid_option", `The config file ${path} cannot be read: ${thrown(error).message}`);
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new MockError("invalid_option", `The config file ${path} must hold a JSON object of options.`);
  }
  const { $schema, ...options } = json as Record<string, unknown>;
  return { place: path, options };
}

function readTls(merged: Record<string, unknown>, problems: LocatedProblem[]): Settings["tls"] {
  const { tlsCert, tlsKey } = merged;
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    problems.push({
      path: "",
      message: "HTTPS needs both the certificate and its key: --tls-cert and --tls-key",
    });
    return undefined;
  }
  try {
    const tls = { cert: readFileSync(String(tlsCert)), key: readFileSync(String(tlsKey)) };
    createSecureContext(tls);
    return tls;
  } catch (error) {
    problems.push({
      path: "",
      message: `The certificate or its key cannot be used: ${thrown(error).message}`,
    });
    return undefined;
  }
}

function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(optionTable, name);
}

function port(given: unknown): number {
  const value = typeof given === "string" && /^\d+$/.test(given) ? Number(given) : given;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 65_535) return value;
  throw new Error(`must be a port from 0 to 65535, not ${JSON.stringify(given)}`);
}

function count(given: unknown): number {
  const value = typeof given === "string" && /^\d+$/.test(given) ? Number(given) : given;
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`must be a whole number from 1, not ${JSON.stringify(given)}`);
}

function text(given: unknown): string {
  if (typeof given === "string" && given !== "") return given;
  throw new Error(`must be text, not ${JSON.stringify(given)}`);
}

function fixtures(given: unknown): (string | Fixture)[] {
  const list: unknown[] = Array.isArray(given)
    ? given
    : typeof given === "string"
      ? given.split(",")
      : [given];
  return list.map((item) => {
    // Whether an object is a fixture is for the schema to say. It is copied: what the caller does to it later must not reach the seed.
    if (typeof item === "object" && item !== null) return JSON.parse(JSON.stringify(item)) as Fixture;
    return text(item);
  });
}

function assume(given: unknown): Record<string, unknown> {
  const choice = typeof given === "string" ? given.split(",") : given;
  if (typeof choice !== "object" || choice === null) throw new Error("must be id=value");
  const chosen: Record<string, unknown> = Array.isArray(choice)
    ? Object.fromEntries(choice.map((pair) => assumption(String(pair))))
    : { ...choice };
  withAssumptions(defaultAssumptions, chosen);
  return chosen;
}

function assumeFile(given: unknown): Record<string, unknown> {
  const file = text(given);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`cannot be read: ${thrown(error).message}`);
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new Error(
      `must name a file with a JSON object of ids and values, and ${file} holds something else`,
    );
  }
  return assume(json);
}

function assumption(pair: string): [string, string] {
  const [, id, value] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
  if (id === undefined || value === undefined)
    throw new Error(`must be id=value, not ${JSON.stringify(pair)}`);
  return [id, value];
}

const units = { b: 1, kb: 1000, mb: 1_000_000 } as const;

function bytes(given: unknown): number {
  const [, digits, unit = "b"] = /^(\d+) ?(b|kb|mb)?$/i.exec(String(given)) ?? [];
  const value = Number(digits) * units[unit.toLowerCase() as keyof typeof units];
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`must be a size like 100kb, not ${JSON.stringify(given)}`);
}

function onOrOff(given: unknown): boolean {
  if (given === true || given === "true" || given === "1") return true;
  if (given === false || given === "false" || given === "0") return false;
  throw new Error(`must be true or false, not ${JSON.stringify(given)}`);
}

function logStyle(given: unknown): LogStyle {
  if (given === "pretty" || given === "json" || given === "silent") return given;
  throw new Error(`must be pretty, json or silent, not ${JSON.stringify(given)}`);
}

import type { Fixture } from "../contract/types.js";
import { readJson } from "../foundation/json.js";
import { thrown } from "../foundation/mock-error.js";
import { defaultAssumptions, withAssumptions } from "../service/assumptions.js";
import type { LogStyle, MockOptions } from "./mock-options.js";

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
  bodyLimit: {
    flag: "value",
    describe: "Largest body of a call, at most 500mb",
    fallback: "100kb",
    read: bytes,
  },
  journalSize: {
    flag: "value",
    describe: "Calls that the journal of a world keeps",
    fallback: "1000",
    read: count,
  },
  maxWorlds: { flag: "value", describe: "Worlds that there can be", fallback: "10000", read: count },
  allowHost: {
    flag: "list",
    describe: "Further host name to answer to, such as that of a container; may be repeated",
    fallback: "",
    read: texts,
  },
  adminToken: {
    flag: "value",
    describe: "Token that the admin API then asks for, as Authorization: Bearer",
    fallback: "",
    read: secret,
  },
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

export function isOptionName(name: string): name is OptionName {
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

/** What a header can carry. The message does not repeat it. */
function secret(given: unknown): string {
  if (typeof given === "string" && /^[\x21-\x7e]+$/.test(given)) return given;
  throw new Error("must be one text of printable ASCII characters without spaces, as it travels in a header");
}

function texts(given: unknown): string[] {
  return (Array.isArray(given) ? given : String(given).split(",")).map(text);
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
    json = readJson(file);
  } catch (error) {
    throw new Error(`${file} cannot be read: ${thrown(error).message}`);
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new Error(
      `must name a file with a JSON object of ids and values, and ${file} holds something else`,
    );
  }
  try {
    return assume(json);
  } catch (error) {
    throw new Error(`${file}: ${thrown(error).message}`);
  }
}

function assumption(pair: string): [string, string] {
  const [, id, value] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
  if (id === undefined || value === undefined)
    throw new Error(`must be id=value, not ${JSON.stringify(pair)}`);
  return [id, value];
}

/** A text in V8 is shorter than 2^29: a longer body could not be read. */
const mostBytes = 500_000_000;

const units = { b: 1, kb: 1000, mb: 1_000_000 } as const;

function bytes(given: unknown): number {
  const [, digits, unit = "b"] = /^(\d+) ?(b|kb|mb)?$/i.exec(String(given)) ?? [];
  const value = Number(digits) * units[unit.toLowerCase() as keyof typeof units];
  if (value > 0 && value <= mostBytes) return value;
  throw new Error(`must be a size like 100kb, at most 500mb, not ${JSON.stringify(given)}`);
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

import config from "../../schemas/config.json" with { type: "json" };

/** `server`: the command line. `embedded`: a mock inside a test run, by `startMock`, `exec` or `explore`. */
export type Use = "server" | "embedded";

/** What the code reads of an option in `schemas/config.json`. */
interface OptionSchema {
  readonly description: string;
  readonly type?: string;
  readonly anyOf?: readonly { readonly type?: string }[];
  readonly default?: unknown;
  /** A secret: messages must not repeat its value. */
  readonly writeOnly?: boolean;
}

/** What a schema cannot say about an option. */
interface Extras {
  /** The heading in help. */
  readonly group?: string;
  /** A flag of one letter. */
  readonly short?: string;
  /** The description of the flag, if that of the schema does not fit. */
  readonly flagDescription?: string;
  /** Whether it is a path, or a list of paths. */
  readonly isPath?: boolean;
  /** What help and `docs/options.md` show as default if the schema has none. */
  readonly without?: string;
  /** The default of an embedded mock, if it differs, and its text. */
  readonly embedded?: { readonly value: unknown; readonly text: string };
}

const { $schema, ...properties } = config.properties;

export type OptionName = keyof typeof properties;

const extras: Readonly<Record<OptionName, Extras>> = {
  port: { short: "p", embedded: { value: 0, text: "a free one" } },
  host: {},
  fixtures: {
    group: "Service:",
    isPath: true,
    without: "the shipped one",
    flagDescription: "File or folder of teams and groups to start with; may be repeated",
  },
  schemas: { group: "Service:", isPath: true, without: "the shipped ones" },
  assume: {
    group: "Service:",
    flagDescription: "Change an assumption about the service: id=value; may be repeated",
  },
  assumeFile: { group: "Service:", isPath: true },
  seed: { group: "Service:" },
  bodyLimit: { group: "Limits:" },
  journalSize: { group: "Limits:" },
  maxWorlds: { group: "Limits:" },
  allowHost: {},
  adminToken: {},
  tlsCert: { isPath: true },
  tlsKey: { isPath: true },
  readyFile: { isPath: true },
  report: {
    group: "Output:",
    isPath: true,
    flagDescription:
      "HTML file to write the report of all worlds to at the end; exec: only if the command fails",
  },
  set: {
    group: "Options:",
    flagDescription:
      "Environment variable for the command of exec and explore: NAME=text; {url} and {apiToken} are replaced; may be repeated",
  },
  exitWithParent: {},
  log: {
    group: "Output:",
    embedded: { value: "silent", text: "silent" },
    flagDescription:
      "One line per request: pretty or json; silent: none, but the ready line is always printed; exec: on standard error; explore: always silent",
  },
  config: {
    isPath: true,
    without: "usergroup-mock.config.json, if it exists",
    flagDescription:
      "JSON file with any of these options, by their camelCase names; its paths are relative to it",
  },
};

function optionOf(schema: OptionSchema, { embedded, without = "", ...extra }: Extras) {
  const isList = schema.type === "object" || schema.anyOf?.some(({ type }) => type === "array") === true;
  const { default: server } = schema;
  const text = typeof server === "boolean" ? (server ? "on" : "off") : String(server ?? without);
  return {
    schema,
    /** What the command line expects: one value, several, or none. */
    flag: isList ? ("list" as const) : schema.type === "boolean" ? ("switch" as const) : ("value" as const),
    defaults: { server, embedded: embedded?.value ?? server },
    /** The defaults, as help and `docs/options.md` show them. */
    defaultTexts: { server: text, embedded: embedded?.text ?? text },
    describe: extra.flagDescription ?? schema.description,
    group: "Server:",
    short: undefined,
    isPath: false,
    ...extra,
  };
}

/** Under `exec` and `explore`, a mock takes these from the run around it if it does not set them itself. */
export const sharedOptions = [
  "fixtures",
  "schemas",
  "seed",
  "journalSize",
  "bodyLimit",
  "maxWorlds",
] as const satisfies readonly OptionName[];

export const optionNames = Object.keys(extras) as readonly OptionName[];

/**
 * Every option. `schemas/config.json` has type, range, default and description. Flags, environment, config file, help
 * and `docs/options.md` derive from this table, `MockOptions` from the schema.
 */
export const optionTable = Object.fromEntries(
  optionNames.map((name) => [name, optionOf(properties[name], extras[name])]),
) as Readonly<Record<OptionName, ReturnType<typeof optionOf>>>;

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(optionTable, name);
}

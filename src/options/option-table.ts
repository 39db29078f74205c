import { kinds, type OptionKind } from "./option-kinds.js";

/** `server`: the command line. `embedded`: a mock inside a test run, by `startMock`, `exec` or `explore`. */
export type Use = "server" | "embedded";

interface Extras<Value> {
  /** The default of an embedded mock, where it differs. */
  readonly embedded?: Value;
  /** The heading in help. */
  readonly group?: string;
  /** A flag of one letter. */
  readonly short?: string;
  /** What help and `docs/options.md` show when the default is nothing. */
  readonly without?: string;
  /** Shown when you hover over the option of `startMock`: an example, and other words where the flag has its own. */
  readonly example?: string;
  readonly inCode?: string;
}

function option<Value, const Default extends Value | undefined>(
  kind: OptionKind<Value>,
  server: Default,
  describe: string,
  extras: Extras<NoInfer<Value>> = {},
) {
  const { embedded, without = "", example, inCode = describe, short, group = "Server:" } = extras;
  const defaults: Readonly<Record<Use, Value | Default>> = { server, embedded: embedded ?? server };
  const show = (value: Value | undefined) => (value === undefined ? without : kind.show(value) || without);
  /** The defaults, as help and `docs/options.md` show them. */
  const defaultTexts = { server: show(defaults.server), embedded: show(defaults.embedded) };
  return { kind, describe, defaults, defaultTexts, example, inCode, short, group };
}

/**
 * Every option: kind, default, description. Flags, environment, config file, `MockOptions`, help and `docs/options.md` derive
 * from this table.
 */
export const optionTable = {
  port: option(kinds.port, 4010, "Port to listen on; 0 takes a free one", { embedded: 0, short: "p" }),
  host: option(kinds.text, "127.0.0.1", "Address to listen on"),
  fixtures: option(kinds.fixtures, [], "File or folder of teams and groups to start with; may be repeated", {
    group: "Service:",
    without: "the shipped one",
    inCode: "Files, folders of files, or fixtures as objects: together they are the seed",
    example: 'fixtures: ["test/fixtures", { teams: [{ team_id: 9, api_tokens: ["t9"] }] }]',
  }),
  schemas: option(
    kinds.path,
    undefined,
    "Folder of stricter JSON Schemas, added to the shipped ones by file name",
    {
      group: "Service:",
      without: "the shipped ones",
    },
  ),
  assume: option(kinds.assumptions, {}, "Change an assumption about the service: id=value; may be repeated", {
    group: "Service:",
    inCode: "Assumptions about the service to change",
    example: 'assume: { "old-token": "accepted" }',
  }),
  assumeFile: option(
    kinds.assumptionFile,
    undefined,
    "JSON file of assumptions, as written by verify --out; assume overrides it",
    { group: "Service:" },
  ),
  seed: option(
    kinds.text,
    "usergroup-mock",
    "Text that tokens are derived from; random makes them unpredictable",
    { group: "Service:" },
  ),
  bodyLimit: option(kinds.bytes, 100_000, "Largest body of a call, at most 80mb", {
    group: "Limits:",
    example: 'bodyLimit: "1mb"',
  }),
  journalSize: option(kinds.count, 1_000, "Largest number of calls in the journal of a world", {
    group: "Limits:",
  }),
  maxWorlds: option(kinds.count, 10_000, "Largest number of worlds", { group: "Limits:" }),
  allowHost: option(
    kinds.texts,
    [],
    "Another host name to answer to, such as that of a container; may be repeated",
  ),
  adminToken: option(kinds.secret, undefined, "Token that the admin API requires, as Authorization: Bearer"),
  tlsCert: option(kinds.path, undefined, "Certificate file (PEM) for HTTPS"),
  tlsKey: option(kinds.path, undefined, "Private key file (PEM) of the certificate"),
  readyFile: option(
    kinds.path,
    undefined,
    "File to write the URL to when the mock is ready; removed at the start and at the end",
  ),
  report: option(
    kinds.path,
    undefined,
    "HTML file to write the report of all worlds to at the end; exec: only if the command fails",
    {
      group: "Output:",
      inCode: "HTML file to write the report of all worlds to when the mock stops",
    },
  ),
  exitWithParent: option(kinds.switch, false, "End when standard input closes"),
  log: option(
    kinds.log,
    "pretty",
    "One line per request: pretty or json; silent: none, but the ready line is always printed; exec: on standard error; explore: always silent",
    {
      embedded: "silent",
      group: "Output:",
      inCode: "One line per request: pretty, json or silent",
    },
  ),
  config: option(
    kinds.path,
    undefined,
    "JSON file with any of these options, by their camelCase names; its paths are relative to it",
    {
      without: "usergroup-mock.config.json, if it exists",
      inCode: "JSON file with any of these options; options that you pass in code override it",
    },
  ),
};

export type OptionName = keyof typeof optionTable;

/** The value of every option. */
export type OptionValues = {
  readonly [Name in OptionName]: (typeof optionTable)[Name]["defaults"]["server"];
};

export const optionNames = Object.keys(optionTable) as readonly OptionName[];

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(optionTable, name);
}

import type { Options } from "yargs";
import { assumptionIds, assumptions, valuesOf } from "../fake/contract/assumptions.js";
import { exploreFolder, tokenVariables, variables } from "../options/names.js";
import { type OptionName, optionNames, optionTable, type Use } from "../options/option-table.js";
import { failureNames } from "../run/injection.js";

/** An option of yargs: a text, a list if `array` is set, a switch if it is a boolean. */
export interface Flag extends Options {
  /** Makes it a number from 1 to this. */
  readonly most?: number;
  /** Makes it an absolute path. */
  readonly isPath?: true;
}

/** Flags by their camelCase names. */
type Flags = Readonly<Record<string, Flag>>;

export interface Command {
  readonly describe: string;
  /** Its own flags. */
  readonly flags: Flags;
  /** The flags of a server that it also takes. */
  readonly serverFlags?: Flags;
  /** A comment and a command line each. */
  readonly examples: readonly string[];
  /** What its help ends with. */
  readonly epilogue?: string;
}

/** A tab starts the second column. */
const serverEpilogue = [
  "Every flag of the server is also an environment variable (USERGROUP_MOCK_PORT), a key of the config file (port) and an option of startMock. A flag overrides the environment, which overrides the config file.",
  "",
  "Assumptions, for --assume id=value; the first value is the default:",
  ...assumptionIds.map((id) => ` ${id}: ${valuesOf(id).join(", ")} \t${assumptions[id].question}`),
].join("\n");

const embeddedEpilogue =
  "The other flags of the server work too: see serve --help. The port is a free one unless you pass --port. Mocks that your command starts use the same assumptions, fixtures, profiles, seed and limits unless they set their own.";

/** The server of `exec` and `explore` stops with the command, and standard input belongs to the command. */
const embeddedFlags = serverFlags("embedded", (name) => name !== "exitWithParent");

/** Every command with its flags. Help, completion, suggestions and the types of the flags derive from it. */
export const commands = {
  serve: {
    describe: "Run a server until it receives a signal",
    flags: {},
    // serve runs no command that could read the variables.
    serverFlags: serverFlags("server", (name) => name !== "set"),
    examples: [
      "# Listen on port 4010\n$0 --port 4010",
      "# Use a free port, which the last line names\n$0 --port 0",
      "# Start with your own groups\n$0 --fixtures test/groups.json",
      "# Accept a token after its rotation\n$0 --assume old-token=accepted",
    ],
    epilogue: serverEpilogue,
  },
  exec: {
    describe: "Run a command with a server on a free port",
    flags: {
      report: { describe: "HTML file for a report, written if the command fails", isPath: true },
      reportAlways: { describe: "Also write the report when the command succeeds", type: "boolean" },
      inject: {
        describe: `Inject a failure into one request of the run, such as rotate:acme#2=lost; exit with 2 if there was no such request; failures: ${failureNames.join(", ")}`,
      },
    },
    serverFlags: embeddedFlags,
    examples: [
      "# Pass USERGROUP_MOCK_URL and USERGROUP_MOCK_API_TOKEN to the tests\n$0 exec -- npm test",
      "# Set a variable that your tests read\n$0 exec --set API_URL={url} -- npm test",
    ],
    epilogue: embeddedEpilogue,
  },
  health: {
    describe: "Exit with 0 if a mock responds, otherwise with 1",
    flags: {
      url: {
        describe: "URL of the mock, instead of the flags below",
        defaultDescription: `$${variables.url}`,
      },
      wait: { describe: "Maximum number of seconds to wait until the mock is ready", most: 100_000 },
    },
    serverFlags: serverFlags("server", (name) => /^(port|host|tls.*|config)$/.test(name)),
    examples: [
      "# Check the server that is configured in the config file and the environment\n$0 health",
      "# Check the server at this URL\n$0 health --url http://mock:4010",
      "# Wait up to 30 seconds until the server is ready\n$0 health --wait 30",
    ],
  },
  explore: {
    describe: "Find the assumptions that your tests depend on, or the failures they survive",
    flags: {
      faults: {
        describe: "Find the failures that your code survives, one failure at a time",
        type: "boolean",
      },
      only: {
        describe:
          "Try only this assumption (id or id=value), or with --faults only this failure; may be repeated",
        array: true,
      },
      all: {
        describe:
          "Also try assumptions that decided no response, or with --faults requests of tests that arm faults",
        type: "boolean",
      },
      json: { describe: "Print JSON", type: "boolean" },
      strict: { describe: "Exit with 1 when something breaks or hangs", type: "boolean" },
      concurrency: { describe: "Parallel runs, each with its own server", defaultDescription: "1", most: 99 },
      logs: {
        describe: "Folder in which this exploration creates one for its logs and reports",
        defaultDescription: exploreFolder,
      },
      silence: {
        describe: "With --faults: seconds after which silent resets the connection",
        defaultDescription: "3",
        most: 100_000,
      },
      runTimeout: {
        describe: "Seconds after which a run is stopped",
        defaultDescription: "ten times the first run, at least 30, and --silence for each failure",
        most: 100_000,
      },
      maxRuns: {
        describe: "With --faults: maximum number of runs, with the first one",
        defaultDescription: "200",
        most: 100_000,
      },
    },
    serverFlags: embeddedFlags,
    examples: [
      "# Find the assumptions that your tests depend on\n$0 explore -- npm test",
      "# Find out which failures of the service your code survives\n$0 explore --faults -- npm test",
    ],
    epilogue: embeddedEpilogue,
  },
  verify: {
    describe: "Learn from the real service how the mock has to respond",
    flags: {
      against: { describe: "Base URL of the service, without /api/user" },
      apiToken: {
        describe: "API token of the service; prefer the variable, which other users cannot see",
        defaultDescription: `$${tokenVariables.apiToken}`,
      },
      secondApiToken: {
        describe: "API token of another team",
        defaultDescription: `$${tokenVariables.secondApiToken}`,
      },
      sample: {
        describe:
          "JSON file with a body of get-or-create that the service accepts, such as a mapping that exists",
      },
      header: {
        describe: 'Header to send with each request, such as "Accept: application/json"; may be repeated',
        array: true,
      },
      yes: { describe: "Confirm that verify may create groups in the service", type: "boolean" },
      json: { describe: "Print JSON", type: "boolean" },
      out: { describe: "Profile to write, for --profile; keeps what this run did not observe" },
      expect: {
        describe: "Profile to compare with, may be repeated; exit with 1 if something has changed",
        array: true,
      },
      all: {
        describe: "With --expect: ask everything, as without it, and leave as many groups",
        type: "boolean",
      },
      verbose: { describe: "Print every situation", type: "boolean", alias: "v" },
    },
    examples: [
      "# Learn how the service responds\n$0 verify --against https://service.example --yes \\\n--out profile.json",
      "# Start a mock that responds in the same way\n$0 --profile profile.json",
      "# Fail if the service has changed since then\n$0 verify --against https://service.example --yes \\\n--expect profile.json",
    ],
  },
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof commands;

type ValueOf<Given> = Given extends { readonly type: "boolean" }
  ? boolean
  : Given extends { readonly array: true }
    ? readonly string[]
    : Given extends { readonly most: number }
      ? number
      : string;

/** What a command receives for its own flags. */
export type FlagsOf<Name extends CommandName, Own = (typeof commands)[Name]["flags"]> = {
  readonly [Flag in keyof Own]?: ValueOf<Own[Flag]>;
};

/** Flags of server options, from the option table. */
function serverFlags(use: Use, isWanted: (name: OptionName) => boolean): Flags {
  const flags = optionNames.filter(isWanted).map((name): [string, Flag] => {
    const { schema, isList: array, describe, defaultTexts, group, alias } = optionTable[name];
    if (schema.type === "boolean") return [name, { describe, group, type: "boolean" }];
    // The help of serve lists them. That of the other commands fits a screen.
    const hidden = use === "embedded" && (group === "Server:" || group === "Limits:");
    return [name, { describe, defaultDescription: defaultTexts[use], group, alias, array, hidden }];
  });
  return Object.fromEntries(flags);
}

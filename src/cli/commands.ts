import type { Options } from "yargs";
import { optionNames } from "../options/option-table.js";
import { failureNames } from "../run/injection.js";
import { assumptionIds, assumptions, valuesOf } from "../service/assumptions.js";
import { type Flags, flag, serverFlags, type ValuesOf } from "./flags.js";
import { tokenVariables, urlVariable } from "./names.js";

export interface Command {
  readonly describe: string;
  /** Whether it runs the command that follows `--`. */
  readonly runsCommand?: boolean;
  /** Its own flags. */
  readonly flags: Flags;
  /** The flags of a server that it also takes. */
  readonly serverFlags?: Readonly<Record<string, Options>>;
  /** A comment and a command line each. */
  readonly examples: readonly string[];
  /** What its help ends with. */
  readonly epilogue?: string;
}

/** A tab begins the second column. */
const serverEpilogue = [
  "Every flag of the server is also an environment variable (USERGROUP_MOCK_PORT), a key of the config file (port) and an option of startMock. A flag overrides the environment, which overrides the config file. exec and explore use a free port unless you pass --port. Mocks that their command starts use the same assumptions, fixtures, schemas, seed and limits unless they set their own.",
  "",
  "Assumptions, for --assume id=value; the first value is the default:",
  ...assumptionIds.map((id) => ` ${id}=${valuesOf(id).join("|")} \t${assumptions[id].question}`),
].join("\n");

/** The server ends with the command, which reads the standard input. */
const embeddedNames = optionNames.filter((name) => name !== "exitWithParent");
const embeddedFlags = serverFlags("embedded", embeddedNames);

/** Every command with its flags. Help, completion, suggestions and the types of the flags derive from it. */
export const commands = {
  serve: {
    describe: "Run a server until it receives a signal",
    flags: {},
    // There is no command to set variables for.
    serverFlags: serverFlags(
      "server",
      optionNames.filter((name) => name !== "set"),
    ),
    examples: [
      "# Listen on port 4010\n$0 --port 4010",
      "# Use a free port and write the URL to a file\n$0 --port 0 --ready-file url.txt",
      "# Start with your own groups\n$0 --fixtures test/groups.json",
      "# Accept a token after its rotation\n$0 --assume old-token=accepted",
    ],
    epilogue: serverEpilogue,
  },
  exec: {
    describe: "Run a command with a server on a free port",
    runsCommand: true,
    flags: {
      "report-always": flag("switch", "Write the report also when the command succeeds"),
      inject: flag(
        "value",
        `One failure at one call of the run, such as rotate:acme#2=lost; exit code 2 if that call was not made; failures: ${failureNames.join(", ")}`,
      ),
    },
    serverFlags: embeddedFlags,
    examples: [
      "# Pass USERGROUP_MOCK_URL and USERGROUP_MOCK_API_TOKEN to the tests\n$0 exec -- npm test",
      "# Set a variable that your tests read\n$0 exec --set API_URL={url} -- npm test",
    ],
    epilogue: serverEpilogue,
  },
  health: {
    describe: "Exit with 0 when a mock answers, otherwise with 1",
    flags: {
      url: flag("value", "URL of the mock, if the other flags do not describe it", {
        defaultText: `$${urlVariable}`,
      }),
      wait: flag("count", "Seconds to wait until the mock is ready", { most: 100_000 }),
    },
    serverFlags: serverFlags("server", ["port", "host", "tlsCert", "tlsKey", "config"], {
      port: "Port that the mock listens on",
      host: "Address that the mock listens on",
      tlsCert: "Certificate file (PEM) of a mock that uses HTTPS",
      tlsKey: "Private key file (PEM) of the certificate",
      config: "Config file of the mock",
    }),
    examples: [
      "# Ask the server that the config file and the environment describe\n$0 health",
      "# Ask the server at this URL\n$0 health --url http://mock:4010",
      "# Wait until the server is ready, at most 30 seconds\n$0 health --wait 30",
    ],
  },
  explore: {
    describe: "Find the assumptions that your tests depend on, or the failures they survive",
    runsCommand: true,
    flags: {
      faults: flag("switch", "Find the single failures of the service that your code survives"),
      only: flag(
        "list",
        "Test only this assumption or value, id or id=value; with --faults this failure; may be repeated",
      ),
      all: flag("switch", "Also run values of assumptions that decided no response of the first run"),
      bail: flag("switch", "Stop at the first run that breaks"),
      json: flag("switch", "Print JSON"),
      strict: flag("switch", "Exit with 1 when a run breaks"),
      concurrency: flag("count", "Number of parallel runs, each with its own server", {
        defaultText: "1",
        most: 99,
      }),
      logs: flag("value", "Folder for the output of every run", { defaultText: "a temporary one" }),
      "run-timeout": flag("count", "Seconds after which a run is ended", {
        defaultText: "ten times the first run, at least 30",
        most: 100_000,
      }),
      "max-runs": flag("count", "With --faults: the most runs to make", {
        defaultText: "200",
        most: 100_000,
      }),
      "no-confirm": flag("switch", "With --faults: print what breaks together with other failures as found"),
    },
    serverFlags: serverFlags("embedded", embeddedNames, {
      report: "HTML file to write all results to, with links to the reports of the runs",
    }),
    examples: [
      "# Find the assumptions that your tests depend on\n$0 explore -- npm test",
      "# Find out which failures of the service your code survives\n$0 explore --faults -- npm test",
    ],
    epilogue: serverEpilogue,
  },
  verify: {
    describe: "Check the documented facts and the assumptions against the real service",
    flags: {
      against: flag("value", "Base URL of the service to verify"),
      "api-token": flag(
        "value",
        "API token for that service; other users of this machine can see it: prefer a file or a variable",
        { defaultText: `$${tokenVariables.apiToken}` },
      ),
      "api-token-file": flag("value", "File that holds this token and nothing else"),
      "second-api-token": flag("value", "API token of another team, for the questions about two teams", {
        defaultText: `$${tokenVariables.secondApiToken}`,
      }),
      "second-api-token-file": flag("value", "File that holds this second token"),
      yes: flag("switch", "Confirm that verify may create groups in that service"),
      json: flag("switch", "Print JSON"),
      out: flag("value", "File to write the found values to, for --assume-file and --expect"),
      expect: flag(
        "value",
        "File of values that verify found earlier; exit with 1 when one of them has changed",
      ),
      rate: flag("value", "Most requests per second, such as 5 or 0.5", { defaultText: "no limit" }),
    },
    examples: [
      "# Save the values that verify found\n$0 verify --against https://service.example \\\n--api-token-file token.txt --yes --out assumptions.json",
      "# Start a server with these values\n$0 --assume-file assumptions.json",
      "# Fail when the service has changed since\n$0 verify --against https://service.example \\\n--api-token-file token.txt --yes --expect assumptions.json",
    ],
  },
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof commands;

/** What a command receives for its own flags. */
export type FlagsOf<Name extends CommandName> = ValuesOf<(typeof commands)[Name]["flags"]>;

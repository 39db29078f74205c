import { MockError } from "../foundation/mock-error.js";
import { failureNames } from "../mock/injection.js";
import { type OptionName, optionNames, optionTable, type Use } from "../mock/option-table.js";
import { exec } from "./exec.js";
import { explore } from "./explore.js";
import { health } from "./health.js";
import { tokenVariables, urlVariable } from "./options-from.js";
import { serve } from "./serve.js";
import { verify } from "./verify.js";

interface Flag {
  readonly flag: "value" | "list" | "switch";
  /** What help shows behind it. */
  readonly placeholder?: string;
  readonly short?: string | undefined;
  readonly describe: string;
  readonly fallback?: string;
}

export type Flags = Readonly<Record<string, Flag>>;

const set: Flags = {
  set: {
    flag: "list",
    placeholder: "<name=text>",
    describe: "Environment variable for the command: NAME=text; {url} and {apiToken} are replaced",
  },
};

function serverFlags(use: Use, names: readonly OptionName[] = optionNames): Flags {
  const flagOf = (name: OptionName): Flag => {
    const { kind, describe, defaultTexts, short, placeholder } = optionTable[name];
    return { flag: kind.flag, placeholder, short, describe, fallback: defaultTexts[use] };
  };
  return Object.fromEntries(names.map((name) => [name, flagOf(name)]));
}

/** `exec` and `explore` end with their command, which reads the standard input. */
const aroundCommand = optionNames.filter((name) => name !== "exitWithParent");

const execFlags: Flags = {
  reportAlways: { flag: "switch", describe: "Write the report also when the command succeeds" },
  inject: {
    flag: "value",
    placeholder: "<call=failure>",
    describe: `One failure at one call of the run, such as rotate:acme#2=lost; failures: ${failureNames.join(", ")}`,
  },
};

const healthFlags: Flags = {
  url: {
    flag: "value",
    placeholder: "<url>",
    describe: "URL of the mock to ask, if not the one that the other flags mean",
    fallback: `$${urlVariable}`,
  },
};

const exploreFlags: Flags = {
  faults: { flag: "switch", describe: "Find the single failures of the service that your code survives" },
  only: {
    flag: "list",
    placeholder: "<name>",
    describe:
      "Test only this assumption or value, id or id=value; with --faults this failure; may be repeated",
  },
  bail: { flag: "switch", describe: "Stop at the first run that breaks" },
  json: { flag: "switch", describe: "Print JSON" },
  strict: { flag: "switch", describe: "Exit with 1 when a run breaks" },
  concurrency: {
    flag: "value",
    placeholder: "<n>",
    describe: "Parallel runs, each with its own server",
    fallback: "1",
  },
  logs: {
    flag: "value",
    placeholder: "<folder>",
    describe: "Folder for the output of every run",
    fallback: "a temporary one",
  },
  runTimeout: {
    flag: "value",
    placeholder: "<seconds>",
    describe: "Seconds after which a run is ended",
    fallback: "ten times the first run, at least 30",
  },
  maxRuns: {
    flag: "value",
    placeholder: "<n>",
    describe: "With --faults: the most runs to make",
    fallback: "200",
  },
};

const verifyFlags: Flags = {
  against: { flag: "value", placeholder: "<url>", describe: "Base URL of the service to verify" },
  apiToken: {
    flag: "value",
    placeholder: "<token>",
    describe:
      "API token for that service; other users of this machine can see it: prefer a file or a variable",
    fallback: `$${tokenVariables.apiToken}`,
  },
  apiTokenFile: {
    flag: "value",
    placeholder: "<file>",
    describe: "File that holds this token and nothing else",
  },
  secondApiToken: {
    flag: "value",
    placeholder: "<token>",
    describe: "API token of another team, for the questions about two teams",
    fallback: `$${tokenVariables.secondApiToken}`,
  },
  secondApiTokenFile: { flag: "value", placeholder: "<file>", describe: "File that holds this second token" },
  yes: { flag: "switch", describe: "Confirm that verify may create groups in that service" },
  json: { flag: "switch", describe: "Print JSON" },
  out: {
    flag: "value",
    placeholder: "<file>",
    describe: "File to write the found values to, for --assume-file and --expect",
  },
  expect: {
    flag: "value",
    placeholder: "<file>",
    describe: "File of values that verify found earlier; exit with 1 when one of them has changed",
  },
  rate: {
    flag: "value",
    placeholder: "<n>",
    describe: "Most requests per second, such as 5 or 0.5",
    fallback: "no limit",
  },
};

export type FlagValues = Readonly<Record<string, unknown>>;

export interface CliCommand {
  readonly describe: string;
  readonly flags: Flags;
  /** Flags of the command that are not server options. */
  readonly own: Flags;
  readonly examples: readonly (readonly [line: string, does: string])[];
  readonly run: (server: FlagValues, own: FlagValues, argv: readonly string[]) => Promise<number | undefined>;
}

/** What the program can be asked to do, by the first word. */
export const commands: Readonly<Record<string, CliCommand>> = {
  serve: {
    describe: "Run a server until it receives a signal (the default command)",
    flags: serverFlags("server"),
    own: {},
    examples: [
      ["--port 4010", "listen on port 4010"],
      ["--port 0 --ready-file url.txt", "use a free port and write the URL to a file"],
      ["--fixtures test/groups.json", "start with your own groups"],
      ["--assume old-token=accepted", "accept a token after its rotation"],
    ],
    run: async (server, _, argv) => {
      if (argv.length > 0) refuse("serve does not run a command; use usergroup-mock exec -- <command>");
      await serve(server);
      return undefined;
    },
  },
  exec: {
    describe: "Run a command with a server on a free port",
    flags: serverFlags("embedded", aroundCommand),
    own: { ...set, ...execFlags },
    examples: [
      ["exec -- npm test", "pass USERGROUP_MOCK_URL and USERGROUP_MOCK_API_TOKEN to the tests"],
      ["exec --set API_URL={url} -- npm test", "set a variable that your tests read"],
    ],
    run: (server, own, argv) => exec(server, own, asList(own.set), argv),
  },
  health: {
    describe: "Exit with 0 when a mock answers, otherwise with 1",
    flags: serverFlags("server", ["port", "host", "tlsCert", "tlsKey", "config"]),
    own: healthFlags,
    examples: [
      ["health", "ask the server that the config file and the environment describe"],
      ["health --url http://mock:4010", "ask the server at this URL"],
    ],
    run: (server, own) => health(server, own),
  },
  explore: {
    describe: "Find the assumptions that your tests depend on, or the failures they survive",
    flags: serverFlags("embedded", aroundCommand),
    own: { ...set, ...exploreFlags },
    examples: [
      ["explore -- npm test", "run the tests once for each other value of each assumption"],
      ["explore --faults -- npm test", "run the tests once for each call and each failure of the service"],
    ],
    run: (server, own, argv) => explore(server, own, asList(own.set), argv),
  },
  verify: {
    describe: "Check the documented facts and the assumptions against the real service",
    flags: {},
    own: verifyFlags,
    examples: [
      [
        "verify --against https://service.example --api-token-file token.txt --yes --out assumptions.json",
        "save the values that verify found",
      ],
      ["--assume-file assumptions.json", "start a server with these values"],
      [
        "verify --against https://service.example --api-token-file token.txt --yes --expect assumptions.json",
        "fail when the service has changed since",
      ],
    ],
    run: (_, own) => verify(own),
  },
};

export function asList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

export function refuse(message: string): never {
  throw new MockError("invalid_option", message);
}

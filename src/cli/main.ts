import yargs, { type Argv } from "yargs";
import { MockError } from "../foundation/mock-error.js";
import { hint, nearest } from "../foundation/nearest.js";
import { optionTable } from "../mock/option-table.js";
import { version } from "../mock/start-server.js";
import { assumptionIds, assumptions, valuesOf } from "../service/assumptions.js";
import { exec } from "./exec.js";
import { explore } from "./explore.js";
import { flagName } from "./options-from.js";
import { serve } from "./serve.js";
import { printFailure, surviveClosedOutput } from "./terminal.js";
import { verify } from "./verify.js";

/** How the command line takes a flag: with a value, with several, or as a switch. */
interface Flag {
  readonly flag: "value" | "list" | "switch";
  readonly describe: string;
  readonly fallback?: string;
}

type Flags = Readonly<Record<string, Flag>>;

const set: Flags = {
  set: {
    flag: "list",
    describe: "Set NAME in the command's environment; {url} and {apiToken} are filled in",
  },
};

/** The server around a command may run beside another one. */
const serverAround: Flags = { ...optionTable, port: { ...optionTable.port, fallback: "a free one" } };

const exploreFlags: Flags = {
  only: { flag: "list", describe: "Only this assumption, or this value of it: id or id=value" },
  bail: { flag: "switch", describe: "Stop at the first run that breaks" },
  json: { flag: "switch", describe: "Print JSON" },
  strict: { flag: "switch", describe: "Exit with 1 when the tests depend on an assumption" },
  concurrency: { flag: "value", describe: "Runs at once, each with a server of its own", fallback: "1" },
};

const verifyFlags: Flags = {
  against: { flag: "value", describe: "Base URL of the service to ask" },
  apiToken: { flag: "value", describe: "An API token of that service" },
  secondApiToken: { flag: "value", describe: "An API token of another team, for the questions about two" },
  yes: { flag: "switch", describe: "Do it: it creates groups in that service" },
  json: { flag: "switch", describe: "Print JSON" },
  out: { flag: "value", describe: "File to write the values that were found into, for --assume-file" },
};

/** What a command is given: its flags by their camelCase names, and the words after --. */
type Given = Readonly<Record<string, unknown>>;

interface Command {
  readonly describe: string;
  readonly flags: Flags;
  /** Flags that the command itself reads, and that are no options of the server. */
  readonly own: Flags;
  readonly examples: readonly (readonly [line: string, does: string])[];
  readonly run: (server: Given, own: Given, words: readonly string[]) => Promise<number | undefined>;
}

const commands: Readonly<Record<string, Command>> = {
  serve: {
    describe: "A server, until a signal comes (the default)",
    flags: optionTable,
    own: {},
    examples: [
      ["--port 4010", "listen on port 4010"],
      ["--port 0 --ready-file url.txt", "take a free port, and write the URL into a file"],
      ["--fixtures test/groups.json", "start with groups of your own"],
      ["--assume old-token=accepted", "let rotated-out tokens still name their group"],
    ],
    run: async (server, _, words) => {
      if (words.length > 0) refuse("serve runs no command; use usergroup-mock exec -- <command>");
      await serve(server);
      return undefined;
    },
  },
  exec: {
    describe: "A server on a free port around a command: exec -- <command>",
    flags: serverAround,
    own: set,
    examples: [
      ["exec -- npm test", "the tests find it in USERGROUP_MOCK_URL and USERGROUP_MOCK_API_TOKEN"],
      ["exec --set API_URL={url} -- npm test", "or under the names that they read"],
    ],
    run: (server, own, words) => exec(server, asList(own.set), words),
  },
  explore: {
    describe: "Which assumptions do your tests depend on? explore -- <command>",
    flags: serverAround,
    own: { ...set, ...exploreFlags },
    examples: [["explore -- npm test", "run the tests once for every other answer to every open question"]],
    run: (server, own, words) => explore(server, own, asList(own.set), words),
  },
  verify: {
    describe: "Ask the real service: do the facts hold, and which assumptions are right?",
    flags: {},
    own: verifyFlags,
    examples: [
      [
        "verify --against https://service.example --api-token … --yes --out assumptions.json",
        "ask, and keep the answers",
      ],
      ["--assume-file assumptions.json", "a fake that is like the service that was asked"],
    ],
    run: (_, own) => verify(own),
  },
};

/** Runs the command line; its exit code is 1 when the user has something to mend. */
export async function main(args: readonly string[]): Promise<void> {
  surviveClosedOutput();
  try {
    refuseOddFlags(args);
    await parser(args).parseAsync();
  } catch (error) {
    printFailure(error);
    process.exitCode = 1;
  }
}

/** yargs takes what every object has for flags that it knows. */
function refuseOddFlags(args: readonly string[]): void {
  const end = args.indexOf("--");
  for (const arg of end < 0 ? args : args.slice(0, end)) {
    const [, name] = /^--?([^=]+)/.exec(arg) ?? [];
    if (name !== undefined && name in Object.prototype)
      refuse(`There is no flag ${arg}; see usergroup-mock --help`);
  }
}

function parser(args: readonly string[]): Argv {
  let cli: Argv = yargs([...args])
    .scriptName("usergroup-mock")
    .usage("$0 [command] [flags]\n\nA fake of the User Group Service for integration tests.")
    .locale("en")
    .version(version)
    .help()
    .alias("help", "h")
    .parserConfiguration({
      "camel-case-expansion": false,
      "dot-notation": false,
      "boolean-negation": false,
      "parse-numbers": false,
      "parse-positional-numbers": false,
      "populate--": true,
    })
    .epilog(epilog())
    .wrap(120)
    .fail((message, error) => {
      // yargs hands over its own complaints as errors too: they are the user's to mend.
      if (error !== undefined && error.name !== "YError") throw error;
      throw new MockError("invalid_option", `${message ?? error?.message}. See usergroup-mock --help.`);
    });
  for (const [name, command] of Object.entries(commands)) {
    cli = cli.command(
      name === "serve" ? [name, "$0"] : name,
      command.describe,
      (yargs) => describeFlags(yargs, command),
      (argv) => start(name, command, argv),
    );
  }
  return cli;
}

function describeFlags(yargs: Argv, { flags, own, examples }: Command): Argv {
  for (const [name, { flag, describe, fallback }] of Object.entries({ ...own, ...flags })) {
    yargs.option(flagName(name).slice(2), {
      describe,
      type: flag === "switch" ? "boolean" : "string",
      array: flag === "list",
      requiresArg: flag !== "switch",
      nargs: flag === "switch" ? 0 : 1,
      ...(fallback && { defaultDescription: fallback }),
    });
  }
  for (const [line, does] of examples) yargs.example(`$0 ${line}`, does);
  return yargs;
}

async function start(name: string, { flags, own, run }: Command, argv: Given): Promise<void> {
  const { _, $0, help, h, version, "--": behind, ...given } = argv;
  const [first, ...more] = asList(_).filter((word, index) => index > 0 || word !== name);
  if (first !== undefined) {
    const names = Object.keys(commands);
    if (name === "serve" && asList(_)[0] !== "serve")
      refuse(`There is no command ${first}${hint(first, names)}`);
    const advice =
      name === "serve" ? "see --help" : `put the command after --: ${name} -- ${[first, ...more].join(" ")}`;
    refuse(`${name} takes no argument ${first}; ${advice}`);
  }
  const known = readFlags(given, { ...own, ...flags });
  const pick = (table: Flags) =>
    Object.fromEntries(Object.entries(known).filter(([flag]) => Object.hasOwn(table, flag)));
  const code = await run(pick(flags), pick(own), asList(behind));
  if (code !== undefined) process.exitCode = code;
}

/** The flags by their camelCase names; refuses those that do not exist, all of them at once. */
function readFlags(given: Given, table: Flags): Record<string, unknown> {
  const names = new Map(Object.keys(table).map((name) => [flagName(name).slice(2), name]));
  const unknown = Object.keys(given).filter((flag) => !names.has(flag));
  if (unknown.length > 0) {
    const refusals = unknown.map((flag) => {
      const near = nearest(flag, names.keys());
      return `There is no flag --${flag}; ${near === undefined ? "see usergroup-mock --help" : `did you mean --${near}?`}`;
    });
    refuse(refusals.join(" "));
  }
  return Object.fromEntries(Object.entries(given).map(([flag, value]) => [names.get(flag), value]));
}

function epilog(): string {
  const questions = assumptionIds.map(
    (id) => `  ${id.padEnd(16)}${valuesOf(id).join(" | ").padEnd(32)}${assumptions[id].question}`,
  );
  return [
    "Every flag of the server is also an environment variable (USERGROUP_MOCK_PORT), a key of the config file (port)",
    "and an option of startMock. A flag beats the environment, which beats the file; the port of exec and explore is a",
    "free one unless a flag says which.",
    "",
    "Assumptions, for --assume id=value; the first value is the default:",
    ...questions,
  ].join("\n");
}

function asList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function refuse(message: string): never {
  throw new MockError("invalid_option", message);
}

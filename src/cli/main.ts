import yargs, { type Argv } from "yargs";
import { MockError } from "../foundation/mock-error.js";
import { hint, nearest } from "../foundation/nearest.js";
import { version } from "../mock/start-server.js";
import { asList, type CliCommand, commands, type Flags, type FlagValues, refuse } from "./commands.js";
import { helpText } from "./help.js";
import { flagName } from "./options-from.js";
import { ignoreOutputErrors, print, printFailure } from "./terminal.js";

/** Runs the CLI. Exits with 1 on an error. */
export async function main(args: readonly string[]): Promise<void> {
  ignoreOutputErrors();
  try {
    refusePrototypeFlags(args);
    await parser(args).parseAsync();
  } catch (error) {
    printFailure(error);
    process.exitCode = 1;
  }
}

/** yargs accepts the property names of Object.prototype, such as --constructor, as known flags. */
function refusePrototypeFlags(args: readonly string[]): void {
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
    .locale("en")
    .version(version)
    // Its help shows no kinds of values, and does not fit a terminal.
    .help(false)
    .option("help", { type: "boolean", alias: "h" })
    .parserConfiguration({
      "camel-case-expansion": false,
      "dot-notation": false,
      "boolean-negation": false,
      "parse-numbers": false,
      "parse-positional-numbers": false,
      "populate--": true,
    })
    .fail((message, error) => {
      // A YError is a usage error: show it without a stack.
      if (error !== undefined && error.name !== "YError") throw error;
      throw new MockError("invalid_option", `${message ?? error?.message}. See usergroup-mock --help.`);
    });
  for (const [name, command] of Object.entries(commands)) {
    cli = cli.command(
      name === "serve" ? [name, "$0"] : name,
      command.describe,
      (yargs) => addFlags(yargs, command),
      (parsed) => runCommand(name, command, parsed),
    );
  }
  return cli;
}

function addFlags(yargs: Argv, { flags, own }: CliCommand): Argv {
  for (const [name, { flag, short }] of Object.entries({ ...own, ...flags })) {
    yargs.option(flagName(name).slice(2), {
      type: flag === "switch" ? "boolean" : "string",
      array: flag === "list",
      requiresArg: flag !== "switch",
      nargs: flag === "switch" ? 0 : 1,
      ...(short !== undefined && { alias: short }),
    });
  }
  return yargs;
}

/** Of a pipe or a file, that of most terminals. */
const usualWidth = 80;

function printHelp(name: string, { describe, flags, own, examples }: CliCommand): void {
  const isProgram = name === "serve";
  const all = Object.entries({ ...own, ...flags });
  const text = helpText(
    {
      usage: `usergroup-mock ${isProgram ? "[command]" : name} [flags]${all.some(([flag]) => flag === "set") ? " -- <command>" : ""}`,
      describe: isProgram ? "A fake of the User Group Service for integration tests." : `${describe}.`,
      commands: isProgram ? Object.entries(commands).map(([one, { describe }]) => [one, describe]) : [],
      flags: [
        ...all.map(([flag, { placeholder, short, describe, fallback }]) => ({
          usage: [short && `-${short},`, flagName(flag), placeholder].filter(Boolean).join(" "),
          describe,
          fallback,
        })),
        { usage: "-h, --help", describe: "Show this help" },
        { usage: "--version", describe: "Show the version" },
      ],
      examples: examples.map(([line, does]) => [`usergroup-mock ${line}`, does]),
      takesServerFlags: Object.hasOwn(flags, "assume"),
    },
    Math.min(Math.max(process.stdout.columns || usualWidth, 60), 120),
  );
  print(text);
}

async function runCommand(name: string, command: CliCommand, parsed: FlagValues): Promise<void> {
  const { flags, own, run } = command;
  const { _, $0, help, h, version, "--": argv, ...given } = parsed;
  if (help === true) return printHelp(name, command);
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
  const code = await run(pick(flags), pick(own), asList(argv));
  if (code !== undefined) process.exitCode = code;
}

/** Converts flag names to camelCase. Reports all unknown flags in one error. */
function readFlags(given: FlagValues, table: Flags): Record<string, unknown> {
  const names = new Map(Object.keys(table).map((name) => [flagName(name).slice(2), name]));
  // yargs gives their values under both names.
  const shorts = new Set(Object.values(table).map(({ short }) => short));
  const unknown = Object.keys(given).filter((flag) => !names.has(flag) && !shorts.has(flag));
  if (unknown.length > 0) {
    const refusals = unknown.map((flag) => {
      const near = nearest(flag, names.keys());
      return `There is no flag --${flag}; ${near === undefined ? "see usergroup-mock --help" : `did you mean --${near}?`}`;
    });
    refuse(refusals.join(" "));
  }
  const known = Object.entries(given).filter(([flag]) => names.has(flag));
  return Object.fromEntries(known.map(([flag, value]) => [names.get(flag), value]));
}

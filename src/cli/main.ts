import { resolve } from "node:path";
import yargs, { type Argv, type CommandModule } from "yargs";
import { version } from "../client/version.js";
import { nearest } from "../foundation/nearest.js";
import { ignoreOutputErrors, note, printFailure } from "../foundation/terminal.js";
import { exec } from "../lab/exec.js";
import { explore } from "../lab/explore/explore.js";
import { verify } from "../lab/verify/verify.js";
import type { GivenCommand } from "../options/given-command.js";
import { flagName } from "../options/names.js";
import { isOptionName } from "../options/option-table.js";
import { rejectFlag } from "../options/reject-flag.js";
import { type Command, type CommandName, commands, type Flag, type FlagsOf } from "./commands.js";
import { health } from "./health.js";
import { serve } from "./serve.js";

/** Returns the exit code. */
type Runner<Name extends CommandName> = (given: GivenCommand, flags: FlagsOf<Name>) => Promise<number>;

/**
 * All in one file of the package: each file that Node loads takes longer than the code of a command that does not run.
 */
const runners: { readonly [Name in CommandName]: Runner<Name> } = { serve, exec, health, explore, verify };

const names = Object.keys(commands) as CommandName[];

/** The commands that run the command after `--`. */
const runsCommand = /^(exec|explore)$/;

/** Runs the CLI. Exits with 1 on an error. */
export async function main(args: readonly string[]): Promise<void> {
  ignoreOutputErrors();
  process.once("beforeExit", failWithoutResult);
  try {
    await commandLine(args).parseAsync();
  } catch (error) {
    printFailure(error);
    process.exitCode = 1;
  } finally {
    process.off("beforeExit", failWithoutResult);
  }
}

/** Node ends a process with 0 if nothing is left that it could wait for, also in the middle of a command. */
function failWithoutResult(): void {
  note("the command ended without a result. This is a bug, please report it.");
  process.exitCode = 1;
}

function commandLine(args: readonly string[]): Argv {
  const cli = yargs([...args])
    .scriptName("usergroup-mock")
    .usage("$0 [command] [options]\n\nA mock of the User Group Service for integration tests.")
    .command(names.map(commandModule))
    .completion("completion", "Print a completion script for bash or zsh, depending on $SHELL")
    .alias("help", "h")
    .version(version)
    // The bundle has no other languages.
    .locale("en")
    .parserConfiguration({
      // Flags have one spelling, and values are text: resolveOptions converts them.
      "boolean-negation": false,
      "camel-case-expansion": false,
      "parse-numbers": false,
      "parse-positional-numbers": false,
      "populate--": true,
    })
    .strict()
    .fail((message, error) => {
      // A YError is a usage error: show it without a stack.
      if (error && error.name !== "YError") throw error;
      rejectFlag(withAdvice(message ?? error.message, cli.parsed));
    });
  return cli;
}

function commandModule<Name extends CommandName>(name: Name): CommandModule {
  const { describe, examples, epilogue = "", ...command }: Command = commands[name];
  const flags = Object.entries({ ...command.flags, ...command.serverFlags });
  return {
    command: name,
    ...(name === "serve" && { aliases: "$0" }),
    describe,
    builder(cli) {
      if (runsCommand.test(name)) cli.usage(`$0 ${name} [options] -- <command>\n\n${describe}`);
      for (const [flag, { most, isPath, ...option }] of flags) {
        // 0 rejects `--json=no`.
        const nargs = option.type === "boolean" ? 0 : 1;
        cli.option(longName(flag), { group: "Options:", nargs, ...option });
      }
      return cli.example(examples.map((text): [string] => [text])).epilogue(epilogue);
    },
    async handler(argv) {
      const passed = flags
        .filter(([flag]) => argv[longName(flag)] !== undefined)
        .map(([flag, option]) => [flag, readValue(flag, option, argv[longName(flag)])] as const);
      const serverFlags = Object.fromEntries(passed.filter(([flag]) => isOptionName(flag)));
      const { "--": rest } = argv;
      const given = { serverFlags, argv: Array.isArray(rest) ? rest.map(String) : [] };
      const run = runners[name];
      // yargs has checked the flags.
      process.exitCode = await run(given, Object.fromEntries(passed) as FlagsOf<Name>);
    },
  };
}

/** The last value of a flag that was passed twice wins. */
function readValue(name: string, { array, most, isPath }: Flag, given: unknown): unknown {
  const value = Array.isArray(given) && !array ? given.at(-1) : given;
  if (isPath) return value === "" ? rejectFlag(`${flagName(name)} must not be empty`) : resolve(value);
  if (most === undefined) return value;
  if (/^[1-9]\d{0,8}$/.test(value) && Number(value) <= most) return Number(value);
  return rejectFlag(`${flagName(name)} must be a number from 1 to ${most} (given: ${JSON.stringify(value)})`);
}

function longName(name: string): string {
  return flagName(name).slice(2);
}

/** The message of yargs, with what was probably meant. */
function withAdvice(message: string, parsed: Argv["parsed"]): string {
  const [, unknown] = /^Unknown arguments?: ([^,]+)/.exec(message) ?? [];
  const seeHelp = `${message}. See usergroup-mock --help.`;
  if (unknown === undefined || parsed === false) return seeHelp;
  const [command = "", ...words] = parsed.argv._.map(String);
  if (runsCommand.test(command) && words.length > 0)
    return `${message}. Put the command after --: ${command} -- ${words.join(" ")}`;
  const flags = Object.keys(parsed.aliases).filter(({ length }) => length > 1);
  const meant = unknown === command ? nearest(unknown, [...names, "completion"]) : nearest(unknown, flags);
  if (meant === undefined) return seeHelp;
  return `${message}; did you mean ${unknown === command ? meant : `--${meant}`}?`;
}

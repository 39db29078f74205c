import yargs, { type Argv } from "yargs";
import { nearest } from "../foundation/nearest.js";
import { version } from "../mock/version.js";
import { execCommand } from "./commands/exec.js";
import { exploreCommand } from "./commands/explore.js";
import { healthCommand } from "./commands/health.js";
import { serveCommand } from "./commands/serve.js";
import { verifyCommand } from "./commands/verify.js";
import { refuseFlag } from "./refuse-flag.js";
import { ignoreOutputErrors, print, printFailure } from "./terminal.js";

const commands = [serveCommand, execCommand, healthCommand, exploreCommand, verifyCommand];
const commandNames = [...commands.map(({ command }) => String(command)), "completion", "help", "version"];

/** Runs the CLI. Exits with 1 on an error. */
export async function main(args: readonly string[]): Promise<void> {
  ignoreOutputErrors();
  try {
    await commandLine(args).parseAsync();
  } catch (error) {
    printFailure(error);
    process.exitCode = 1;
  }
}

function commandLine(args: readonly string[]): Argv {
  const cli = yargs(nameDefaultCommand(args))
    .scriptName("usergroup-mock")
    .usage("$0 [command] [options]\n\nA fake of the User Group Service for integration tests.")
    .command(commands)
    .command("help <command>", false, {}, ({ command }) => main([String(command), "--help"]))
    .command("version", false, {}, () => print(version))
    .completion("completion", "Print a completion script for bash or zsh, whichever is $SHELL")
    .alias("help", "h")
    .version(version)
    // The bundle has no other languages.
    .locale("en")
    .parserConfiguration({
      // Flags have one spelling, and values are text: the option table reads them.
      "boolean-negation": false,
      "camel-case-expansion": false,
      "dot-notation": false,
      "parse-numbers": false,
      "parse-positional-numbers": false,
      "populate--": true,
      "strip-aliased": true,
    })
    .strict()
    .fail((message, error) => {
      // A YError is a usage error: show it without a stack.
      if (error && error.name !== "YError") throw error;
      refuseFlag(withAdvice(message ?? error.message, cli.parsed));
    });
  return cli;
}

/** A shell asks for the words that can follow. yargs completes no flags of a default command unless it is named. */
function nameDefaultCommand(args: readonly string[]): string[] {
  const [request, program = "", first = "", ...others] = args;
  const isForDefault = request === "--get-yargs-completions" && first.startsWith("-");
  return isForDefault ? [request, program, "serve", first, ...others] : [...args];
}

/** What yargs refuses, and what was probably meant. */
function withAdvice(message: string, parsed: Argv["parsed"]): string {
  const [, unknown] = /^Unknown arguments?: (.+)$/.exec(message) ?? [];
  if (unknown === undefined || parsed === false) return `${message}. See usergroup-mock --help.`;
  const [command = "", ...words] = parsed.argv._.map(String);
  if ((command === "exec" || command === "explore") && words.length > 0)
    return `${message}; put the command after --: ${command} -- ${words.join(" ")}`;
  const flags = Object.keys(parsed.aliases).filter(({ length }) => length > 1);
  const meant = unknown.split(", ").map((name) => {
    if (name === command) return nearest(name, commandNames);
    const flag = words.includes(name) ? undefined : nearest(name, flags);
    return flag && `--${flag}`;
  });
  const known = meant.filter((name) => name !== undefined);
  if (known.length === 0) return `${message}. See usergroup-mock --help.`;
  return `${message}; did you mean ${known.join(" and ")}?`;
}

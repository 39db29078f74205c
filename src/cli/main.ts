import yargs from "yargs";
import { MockError } from "../contract/mock-error.js";
import { hint, nearest } from "../contract/nearest.js";
import { optionNames, optionTable } from "../mock/options.js";
import { version } from "../mock/start-mock.js";
import { exec } from "./exec.js";
import { flagName } from "./options-from.js";
import { serve } from "./serve.js";
import { printFailure } from "./terminal.js";

const commands = ["serve", "exec"];

/** Runs the command line; its exit code is 1 when the user has something to mend. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    const argv = await parser(args).parseAsync();
    const {
      _,
      $0,
      help,
      h,
      version,
      set,
      "--": behind = [],
      ...flags
    } = argv as Record<string, unknown> & typeof argv;
    const [command = "serve", ...rest] = _.map(String);
    if (!commands.includes(command)) refuse(`There is no command ${command}${hint(command, commands)}`);
    if (rest.length > 0) refuse(`${command} takes no argument ${rest[0]}; ${whereTo(command, rest)}`);
    if (command === "exec") {
      process.exitCode = await exec(known(flags), asList(set), asList(behind));
      return;
    }
    if (set !== undefined)
      refuse("--set goes with exec: usergroup-mock exec --set API_URL={url} -- npm test");
    if (asList(behind).length > 0) refuse("serve runs no command; use usergroup-mock exec -- <command>");
    await serve(known(flags));
  } catch (error) {
    printFailure(error);
    process.exitCode = 1;
  }
}

function whereTo(command: string, rest: readonly string[]): string {
  return command === "exec"
    ? `put the command after --: usergroup-mock exec -- ${rest.join(" ")}`
    : "see --help";
}

function asList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function parser(args: readonly string[]) {
  const cli = yargs([...args])
    .scriptName("usergroup-mock")
    .usage(
      [
        "A fake of the User Group Service for integration tests.",
        "",
        "  $0 [serve] [flags]            a server",
        "  $0 exec [flags] -- <command>  a server on a free port around a command, which finds",
        "                                           it in USERGROUP_MOCK_URL and USERGROUP_MOCK_API_TOKEN",
      ].join("\n"),
    )
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
    .option("set", {
      describe: "For exec: set NAME in the command's environment; {url} and {apiToken} are filled in",
      type: "string",
      array: true,
      requiresArg: true,
      nargs: 1,
    })
    .example("$0 --port 4010", "listen on port 4010")
    .example("$0 --port 0 --ready-file url.txt", "take a free port, and write the URL into a file")
    .example("$0 --fixtures test/groups.json", "start with groups of your own")
    .example("$0 --assume old-token=accepted", "let rotated-out tokens still name their group")
    .example("$0 exec --set API_URL={url} -- npm test", "run tests that read API_URL")
    .epilog(
      "Every flag but --set is also an environment variable (USERGROUP_MOCK_PORT), a key of the config file (port)" +
        " and an option of startMock. A flag beats the environment, which beats the file.",
    )
    .wrap(100)
    .fail((message, error) => {
      throw error ?? new MockError("invalid_option", `${message}. See usergroup-mock --help.`);
    });
  for (const name of optionNames) {
    const { flag, describe, fallback } = optionTable[name];
    cli.option(flagName(name).slice(2), {
      describe,
      type: flag === "switch" ? "boolean" : "string",
      array: flag === "list",
      requiresArg: flag !== "switch",
      nargs: flag === "switch" ? 0 : 1,
      defaultDescription: fallback,
    });
  }
  return cli;
}

/** The flags by their camelCase names; refuses one that does not exist. */
function known(flags: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = new Map(optionNames.map((name) => [flagName(name).slice(2), name]));
  return Object.fromEntries(
    Object.entries(flags).map(([flag, value]) => {
      const name = names.get(flag);
      if (name === undefined) {
        const near = nearest(flag, names.keys());
        const advice = near === undefined ? "see usergroup-mock --help" : `did you mean --${near}?`;
        refuse(`There is no flag --${flag}; ${advice}`);
      }
      return [name, value];
    }),
  );
}

function refuse(message: string): never {
  throw new MockError("invalid_option", message);
}

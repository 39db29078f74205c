import type { Argv, CommandModule, Options } from "yargs";
import {
  isOptionName,
  type OptionName,
  optionNames,
  optionTable,
  type Use,
} from "../options/option-table.js";
import { assumptionIds, assumptions, valuesOf } from "../service/assumptions.js";
import { flagName } from "./names.js";

/** The kinds of flags, as options of yargs. */
export const flagKinds = {
  /** Takes a value. If it is passed twice, the last value wins. */
  value: { nargs: 1, coerce: (given: unknown) => (Array.isArray(given) ? given.at(-1) : given) },
  /** May be repeated. */
  list: { type: "string", array: true, nargs: 1 },
  /** Takes no value: `--json=no` is refused. */
  switch: { type: "boolean", nargs: 0 },
} as const satisfies Record<string, Options>;

/** Flags of server options, from the option table. `words` replaces the descriptions that do not fit the command. */
export function serverFlags(
  use: Use,
  names: readonly OptionName[],
  words: { readonly [Name in OptionName]?: string } = {},
): Record<string, Options> {
  const flags = names.map((name): [string, Options] => {
    const { flag, describe, defaultTexts, group, short } = optionTable[name];
    return [
      flagName(name).slice(2),
      {
        ...flagKinds[flag],
        describe: words[name] ?? describe,
        group,
        ...(short !== undefined && { alias: short }),
        ...(flag !== "switch" && { defaultDescription: defaultTexts[use] }),
      },
    ];
  });
  return Object.fromEntries(flags);
}

/** What the help of a command with server flags ends with. A tab begins the second column. */
export const serverEpilogue = [
  "Every flag of the server is also an environment variable (USERGROUP_MOCK_PORT), a key of the config file (port) and an option of startMock. A flag overrides the environment, which overrides the config file. exec and explore use a free port unless you pass --port.",
  "",
  "Assumptions, for --assume id=value; the first value is the default:",
  ...assumptionIds.map((id) => ` ${id}=${valuesOf(id).join("|")} \t${assumptions[id].question}`),
].join("\n");

/** Usage and flags of `exec` and `explore`, which run a command with a server. */
export function commandRunner(
  yargs: Argv,
  { command, describe }: CommandModule,
  flags: Readonly<Record<string, Options>>,
): Argv {
  // The server ends with the command, which reads the standard input.
  const names = optionNames.filter((option) => option !== "exitWithParent");
  return yargs
    .usage(`$0 ${command} [options] -- <command>\n\n${describe}`)
    .options(flags)
    .group(Object.keys(flags), "Options:")
    .options(serverFlags("embedded", names))
    .epilogue(serverEpilogue);
}

type FlagValues = Readonly<Record<string, unknown>>;

/** What a command line has given to its command, by camelCase names. */
interface Given {
  readonly server: FlagValues;
  /** Flags of the command that are not server options. */
  readonly own: FlagValues;
  /** What stands after `--`. */
  readonly rest: readonly string[];
}

export function readGiven({ _, $0, "--": rest, ...flags }: FlagValues): Given {
  const named = Object.entries(flags).map(([flag, value]): [string, unknown] => [camelCase(flag), value]);
  return {
    server: Object.fromEntries(named.filter(([name]) => isOptionName(name))),
    own: Object.fromEntries(named.filter(([name]) => !isOptionName(name))),
    rest: asList(rest),
  };
}

function camelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function asList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

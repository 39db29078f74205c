import type { Options } from "yargs";
import type { GivenCommand } from "../lab/run-command.js";
import { flagName } from "../options/names.js";
import { isOptionName, type OptionName, optionTable, type Use } from "../options/option-table.js";
import { rejectFlag } from "../options/reject-flag.js";

/** An option of yargs: a text, a list if `array` is set, a switch if it is a boolean. */
export interface Flag extends Options {
  /** Makes it a number from 1 to this. */
  readonly most?: number;
}

/** Flags by their camelCase names. */
export type Flags = Readonly<Record<string, Flag>>;

type ValueOf<Given> = Given extends { readonly type: "boolean" }
  ? boolean
  : Given extends { readonly array: true }
    ? readonly string[]
    : Given extends { readonly most: number }
      ? number
      : string;

/** What a command receives for its flags. */
export type ValuesOf<Given> = { readonly [Name in keyof Given]?: ValueOf<Given[Name]> };

/** The flags by the names that users type. `nargs: 0` rejects `--json=no`. */
export function yargsOptions(flags: Flags): Record<string, Options> {
  const options = Object.entries(flags).map(([name, { most, ...option }]): [string, Options] => [
    longName(name),
    { group: "Options:", nargs: option.type === "boolean" ? 0 : 1, ...option },
  ]);
  return Object.fromEntries(options);
}

/** Flags of server options, from the option table. */
export function serverFlags(use: Use, names: readonly OptionName[]): Flags {
  const flags = names.map((name): [string, Flag] => {
    const { schema, isList: array, describe, defaultTexts, group, alias } = optionTable[name];
    if (schema.type === "boolean") return [name, { describe, group, type: "boolean" }];
    // The help of serve lists them. That of the other commands fits a screen.
    const hidden = use === "embedded" && (group === "Server:" || group === "Limits:");
    return [name, { describe, defaultDescription: defaultTexts[use], group, alias, array, hidden }];
  });
  return Object.fromEntries(flags);
}

/** What a command line has given to a command: server options, the command after `--`, and the command's own flags. */
export function readGiven(
  flags: Flags,
  argv: Readonly<Record<string, unknown>>,
): { readonly given: GivenCommand; readonly own: Readonly<Record<string, unknown>> } {
  const passed = Object.entries(flags).flatMap(([name, flag]) => {
    const value = argv[longName(name)];
    return value === undefined ? [] : [[name, readValue(name, flag, value)] as const];
  });
  const { "--": rest } = argv;
  return {
    given: {
      serverFlags: Object.fromEntries(passed.filter(([name]) => isOptionName(name))),
      argv: Array.isArray(rest) ? rest.map(String) : [],
    },
    own: Object.fromEntries(passed.filter(([name]) => !isOptionName(name))),
  };
}

/** The last value of a flag that was passed twice wins. */
function readValue(name: string, { array, most }: Flag, given: unknown): unknown {
  const value = Array.isArray(given) && !array ? given.at(-1) : given;
  if (most === undefined) return value;
  if (/^[1-9]\d{0,8}$/.test(value) && Number(value) <= most) return Number(value);
  return rejectFlag(`${flagName(name)} must be a number from 1 to ${most} (given: ${JSON.stringify(value)})`);
}

function longName(name: string): string {
  return flagName(name).slice(2);
}

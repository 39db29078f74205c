import type { Options } from "yargs";
import { isOptionName, type OptionName, optionTable, type Use } from "../options/option-table.js";
import { flagName } from "./names.js";
import { refuseFlag } from "./refuse-flag.js";
import type { GivenCommand } from "./run-command.js";

/** What a command receives for each kind of flag. */
interface FlagValues {
  /** If it is passed twice, the last value wins. */
  readonly value: string;
  /** A number from 1. */
  readonly count: number;
  /** May be repeated. */
  readonly list: readonly string[];
  /** Takes no value: `--json=no` is refused. */
  readonly switch: boolean;
}

export interface Flag<Kind extends keyof FlagValues = keyof FlagValues> {
  readonly kind: Kind;
  readonly describe: string;
  /** What help shows as default. */
  readonly defaultText?: string | undefined;
  /** The largest number of a count. */
  readonly most?: number;
}

export function flag<Kind extends keyof FlagValues>(
  kind: Kind,
  describe: string,
  more: Omit<Flag, "kind" | "describe"> = {},
): Flag<Kind> {
  return { kind, describe, ...more };
}

export type Flags = Readonly<Record<string, Flag>>;

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** What a command receives for its flags, by camelCase names. */
export type ValuesOf<Given extends Flags> = {
  readonly [Name in keyof Given & string as CamelCase<Name>]?: FlagValues[Given[Name]["kind"]];
};

/** A flag as an option of yargs. */
export function yargsOption(name: string, { kind, describe, defaultText, most = 1 }: Flag): Options {
  if (kind === "switch") return { describe, type: "boolean", nargs: 0 };
  const options: Options = { describe, nargs: 1, defaultDescription: defaultText };
  if (kind === "list") return { ...options, type: "string", array: true };
  const coerce = (given: unknown) => {
    const text = Array.isArray(given) ? given.at(-1) : given;
    if (kind === "value") return text;
    if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= most) return Number(text);
    return refuseFlag(`--${name} must be a number from 1 to ${most}, not ${text}`);
  };
  return { ...options, coerce };
}

/** Flags of server options, from the option table. `words` replaces the descriptions that do not fit the command. */
export function serverFlags(
  use: Use,
  names: readonly OptionName[],
  words: { readonly [Name in OptionName]?: string } = {},
): Record<string, Options> {
  const flags = names.map((name): [string, Options] => {
    const { flag: kind, describe, defaultTexts, group, short } = optionTable[name];
    const text = { kind, describe: words[name] ?? describe, defaultText: defaultTexts[use] };
    const long = flagName(name).slice(2);
    return [long, { ...yargsOption(long, text), group, ...(short !== undefined && { alias: short }) }];
  });
  return Object.fromEntries(flags);
}

/** What a command line has given to its command, by camelCase names. */
interface Given {
  readonly given: GivenCommand;
  /** Flags of the command that are not server options. */
  readonly own: Readonly<Record<string, unknown>>;
}

export function readGiven({ _, $0, "--": rest, ...flags }: Readonly<Record<string, unknown>>): Given {
  const named = Object.entries(flags).map(([name, value]): [string, unknown] => [camelCase(name), value]);
  const serverFlags = Object.fromEntries(named.filter(([name]) => isOptionName(name)));
  return {
    given: { serverFlags, argv: asList(rest) },
    own: Object.fromEntries(named.filter(([name]) => !isOptionName(name))),
  };
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function asList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

import { type Injection, injectionText } from "../../run/injection.js";
import { flagName } from "../names.js";
import type { GivenCommand } from "../run-command.js";

/** What a run changes. */
interface Changed {
  readonly assume?: Readonly<Record<string, string>>;
  readonly inject?: readonly Injection[];
}

/** The command line that makes one run of `explore` again. */
export function repeatLine(
  { serverFlags, argv }: GivenCommand,
  { assume = {}, inject = [] }: Changed,
): string {
  // The page of this exploration is not to be replaced by the report of one run.
  const { report, ...flags } = serverFlags;
  const words = Object.entries(flags).flatMap(([name, value]) => flagWords(name, value, assume));
  for (const [id, value] of Object.entries(assume)) words.push("--assume", `${id}=${value}`);
  for (const one of inject) words.push("--inject", injectionText(one));
  return ["usergroup-mock", "exec", ...words, "--", ...argv].map(shellWord).join(" ");
}

function flagWords(name: string, value: unknown, assume: object): string[] {
  const flag = flagName(name);
  // A secret does not belong into a log.
  if (name === "adminToken") return [flag, "<token>"];
  if (value === true) return [flag];
  const values = (Array.isArray(value) ? value : [value]).map(String);
  const isChanged = (pair: string) => name === "assume" && Object.hasOwn(assume, pair.split("=")[0] ?? "");
  return values.filter((one) => !isChanged(one)).flatMap((one) => [flag, one]);
}

/** Quoted where a shell would change it, such as {a,b} and {1..3}. */
function shellWord(word: string): string {
  const isExpanded = /\{.*(,|\.\.)/.test(word);
  return !isExpanded && /^[\w@%+=:,./{}-][\w@%+=:,./{}#-]*$/.test(word)
    ? word
    : `'${word.replaceAll("'", "'\\''")}'`;
}

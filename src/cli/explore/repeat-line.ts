import { type Injection, injectionText } from "../../run/injection.js";
import { flagName } from "../names.js";

/** What `explore` was given. */
export interface GivenCommand {
  readonly serverFlags: Readonly<Record<string, unknown>>;
  readonly argv: readonly string[];
}

/** One run, with what it changed. */
interface Repeated extends GivenCommand {
  readonly changed?: readonly [id: string, value: string] | undefined;
  readonly inject?: Injection | null | undefined;
}

/** The command line that makes one run of `explore` again. */
export function repeatLine({ serverFlags, argv, changed, inject }: Repeated): string {
  const words = Object.entries(serverFlags).flatMap(([name, value]) => flagWords(name, value, changed?.[0]));
  if (changed !== undefined) words.push("--assume", changed.join("="));
  if (inject) words.push("--inject", injectionText(inject));
  return ["usergroup-mock", "exec", ...words, "--", ...argv].map(shellWord).join(" ");
}

function flagWords(name: string, value: unknown, changedId: string | undefined): string[] {
  const flag = flagName(name);
  // A secret does not belong into a log.
  if (name === "adminToken") return [flag, "<token>"];
  if (value === true) return [flag];
  const values = (Array.isArray(value) ? value : [value]).map(String);
  const kept = name === "assume" ? values.filter((pair) => pair.split("=")[0] !== changedId) : values;
  return kept.flatMap((one) => [flag, one]);
}

/** Quoted where a shell would change it, such as {a,b} and {1..3}. */
function shellWord(word: string): string {
  const isExpanded = /\{.*(,|\.\.)/.test(word);
  return !isExpanded && /^[\w@%+=:,./{}-][\w@%+=:,./{}#-]*$/.test(word)
    ? word
    : `'${word.replaceAll("'", "'\\''")}'`;
}

import { flagName } from "../../options/names.js";
import { injectionText } from "../../run/injection.js";
import type { GivenCommand } from "../run-command.js";
import type { Change } from "./changes.js";

/** The command line that repeats one run of `explore`. */
export function repeatLine(
  { serverFlags, argv }: GivenCommand,
  { assume = {}, injection }: Pick<Change, "assume" | "injection">,
): string {
  // The report of one run would replace the page of this exploration.
  const { report, ...flags } = serverFlags;
  const words = Object.entries(flags).flatMap(([name, value]) => flagWords(name, value, assume));
  for (const [id, value] of Object.entries(assume)) words.push("--assume", `${id}=${value}`);
  if (injection !== undefined) words.push("--inject", injectionText(injection));
  return ["npx", "usergroup-mock", "exec", ...words, "--", ...argv].map(shellWord).join(" ");
}

function flagWords(name: string, value: unknown, assume: object): string[] {
  const flag = flagName(name);
  // A secret must not be logged.
  if (name === "adminToken") return [flag, "<token>"];
  if (value === true) return [flag];
  const values = (Array.isArray(value) ? value : [value]).map(String);
  const isChanged = (pair: string) => name === "assume" && Object.hasOwn(assume, pair.split("=")[0] ?? "");
  return values.filter((one) => !isChanged(one)).flatMap((one) => [flag, one]);
}

/** Quoted if a shell would change it, such as {a,b} and {1..3}. */
function shellWord(word: string): string {
  const isSafe = /^(?!.*\{.*(,|\.\.))[\w@%+=:,./{}-][\w@%+=:,./{}#-]*$/.test(word);
  return isSafe ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

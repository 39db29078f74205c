import type { GivenCommand } from "../../options/given-command.js";
import { flagName } from "../../options/names.js";
import type { Change } from "./changes.js";

/** The command line that repeats a run with one change. */
export function repeatLine({ serverFlags, argv }: GivenCommand, change: Change): string {
  const words = Object.entries(serverFlags).flatMap(([name, value]) => {
    if (value === true) return flagName(name);
    // A secret must not be logged.
    const values = name === "adminToken" ? ["<token>"] : [value].flat().map(String);
    const kept = values.filter((one) => name !== "assume" || !one.startsWith(`${change.of}=`));
    return kept.flatMap((one) => [flagName(name), one]);
  });
  words.push(change.injection ? "--inject" : "--assume", change.name);
  return ["npx", "usergroup-mock", "exec", ...words, "--", ...argv].map(shellWord).join(" ");
}

/** Quoted if a shell would change it, such as {a,b} and {1..3}. */
function shellWord(word: string): string {
  const isSafe = /^(?!.*\{.*(,|\.\.))[\w@%+=:,./{}-][\w@%+=:,./{}#-]*$/.test(word);
  return isSafe ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

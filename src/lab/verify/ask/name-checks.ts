import type { Exchange } from "../service/exchanges.js";
import type { VerifyRun } from "./run.js";

/** What can be wrong with a name, of a new group and of one that exists. */
const creationPairs = [
  ["name: empty", "existing group: name empty"],
  ["name: null", "existing group: name null"],
  ["name: number", "existing group: name number"],
  ["name: long", "existing group: name long"],
] as const;

/** Whether the service checks names when it creates a group, and not those of a group that exists. */
export function checksNamesOnCreation(run: VerifyRun): boolean {
  return creationPairs.some(
    ([ofNew, ofExisting]) =>
      run.outcome(ofNew) === "rejected" && run.seen.has(ofExisting) && run.outcome(ofExisting) !== "rejected",
  );
}

/** Whether only a new group shows what is wrong with a name. */
export function needsNewGroup(run: VerifyRun): boolean {
  return run.outcome("existing group: other name") === "rejected" || checksNamesOnCreation(run);
}

/** How the service rejects a name for what other groups, or the group itself, have: it says nothing about the name. */
export function nameConflicts(run: VerifyRun): Exchange[] {
  const rows = ["name of another group", "existing group: other name"] as const;
  return rows.flatMap((row) => {
    const seen = run.seen.get(row);
    return seen === undefined || seen.outcome !== undefined ? [] : [seen];
  });
}

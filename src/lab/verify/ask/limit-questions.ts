import type { SituationId } from "../../../fake/contract/situations.js";
import { NotAsked } from "../service/not-asked.js";
import { findCharacters, nameWithSigns } from "./characters.js";
import { findLongestText, findLongestValue, findShortestName, letters } from "./lengths.js";
import { needsNewGroup, type Question, unlessConflict } from "./question.js";
import type { Seen, VerifyRun } from "./run.js";

/** A name that is too long for a new group, of one that exists: some services check only on creation. */
async function askLongNameOfExisting(run: VerifyRun): Promise<Seen> {
  const limit = run.seen.get("name: long")?.limit;
  if (limit?.over === undefined) throw new NotAsked("nothing to ask", 'only if "name: long" has a limit');
  const name = "n".repeat(limit.over + 1);
  const seen = await run.ask(() => run.get({ ...run.bodyOf("D"), name }));
  return seen.outcome === undefined ? { ...seen, limit } : seen;
}

/** Lengths, and then characters in texts of these lengths: first those of ids, which every request needs. */
export const limitQuestions = {
  "user_group_id: long": { leavesGroup: true, ask: (run) => findLongestText(run, "user_group_id") },
  "name: long": { leavesGroup: true, ask: (run) => findLongestText(run, "name") },
  "name: short": {
    leavesGroup: needsNewGroup,
    ask: findShortestName,
    onceMore: { fields: () => ({ name: letters(1) }) },
  },
  "user_group_id: characters": { leavesGroup: true, ask: (run) => findCharacters(run, "user_group_id") },
  "name: characters": {
    leavesGroup: needsNewGroup,
    ask: (run) => findCharacters(run, "name"),
    onceMore: { fields: (run) => ({ name: nameWithSigns(run) }) },
  },
  "existing group: name long": unlessConflict({ ask: askLongNameOfExisting }),
  "mapping value: long": { leavesGroup: needsNewGroup, ask: findLongestValue },
} as const satisfies { readonly [Id in SituationId]?: Question };

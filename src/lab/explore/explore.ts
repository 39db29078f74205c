import { readProfile } from "../../client/read-files.js";
import { MockError } from "../../fake/contract/mock-error.js";
import { loadSchemas } from "../../fake/contract/schemas.js";
import { saveText } from "../../foundation/save-text.js";
import { print, printFailure } from "../../foundation/terminal.js";
import type { GivenCommand } from "../../options/given-command.js";
import { rejectFlag } from "../../options/reject-flag.js";
import { assertWritable } from "../assert-writable.js";
import { readSettings } from "../run-command.js";
import { wantedFailures, wantedValues } from "./changes.js";
import { Exploration, type ExploreFlags } from "./exploration.js";
import { exploreAssumptions } from "./explore-assumptions.js";
import { exploreFaults } from "./explore-faults.js";
import { explorePage, foundLines } from "./findings.js";

/** `usergroup-mock explore -- <command>`. Returns the exit code. */
export async function explore(given: GivenCommand, flags: ExploreFlags): Promise<number> {
  const { faults = false, only = [], maxRuns, json = false, report } = flags;
  if (!faults && maxRuns !== undefined) rejectFlag("--max-runs requires --faults");
  const read = await readSettings("explore", given);
  const wanted = only.flatMap((item) => item.split(","));
  const failures = faults ? wantedFailures(wanted) : [];
  const { assume: known } = readProfile(read.profile, await loadSchemas());
  const values = faults ? [] : wantedValues({ ...known, ...read.assume }, wanted);
  await assertWritable("--report", report);
  const exploration = new Exploration(given, read, flags);
  try {
    const first = await exploration.first();
    if (first === undefined) return exploration.end();
    const found = faults
      ? await exploreFaults(exploration, first, failures)
      : await exploreAssumptions(exploration, first, values);
    print(json ? JSON.stringify(found.json, undefined, 2) : foundLines(found).join("\n"));
    if (report !== undefined) {
      await saveText(report, explorePage(found, report, given.argv.join(" ")));
      const where = `all results are in ${report}, and the reports of the runs in ${exploration.logs}`;
      process.stderr.write(`usergroup-mock: ${where}\n`);
    }
    return exploration.end(found);
  } catch (error) {
    exploration.progress.clear();
    if (!(error instanceof MockError) || !/^(no_command|nothing_found)$/.test(error.code)) throw error;
    printFailure(error);
    return exploration.end();
  }
}

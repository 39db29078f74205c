import { readProfiles } from "../../client/read-files.js";
import { MockError } from "../../fake/contract/mock-error.js";
import { knownService } from "../../fake/contract/profile.js";
import { Behaviour } from "../../fake/service/behaviour.js";
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
import { explorePage } from "./explore-page.js";
import { type Found, foundLines, isBreak, shortPath } from "./findings.js";

/** `usergroup-mock explore -- <command>`. Returns the exit code. */
export async function explore(given: GivenCommand, flags: ExploreFlags): Promise<number> {
  const { faults = false, only = [], maxRuns } = flags;
  if (!faults && maxRuns !== undefined) rejectFlag("--max-runs requires --faults");
  const read = await readSettings("explore", given);
  const wanted = only.flatMap((item) => item.split(","));
  const failures = faults ? wantedFailures(wanted) : [];
  const profiles = await readProfiles(read.profile);
  const known = knownService(profiles.map(({ profile }) => profile));
  const values = faults ? [] : wantedValues(Behaviour.from(known).with(read.assume, "set"), wanted);
  await assertWritable("--report", flags.report);
  const exploration = new Exploration(given, read, flags);
  try {
    const first = await exploration.first();
    if (first === undefined) {
      process.stderr.write("usergroup-mock: interrupted in the first run, so nothing is known yet\n");
      return exploration.exitCode(2);
    }
    const found = faults
      ? await exploreFaults(exploration, first, failures)
      : await exploreAssumptions(exploration, first, values);
    await showFound(found, exploration);
    return exploration.exitCode(flags.strict && hasBreak(found) ? 1 : 0);
  } catch (error) {
    exploration.progress.clear();
    if (!(error instanceof MockError) || !/^(no_command|nothing_found)$/.test(error.code)) throw error;
    printFailure(error);
    return exploration.exitCode(2);
  } finally {
    exploration.logs.removeRest();
  }
}

/** Prints what was found, and writes the page of `--report`. */
async function showFound(found: Found, { given, flags, logs }: Exploration): Promise<void> {
  print(flags.json ? JSON.stringify(found.json, undefined, 2) : foundLines(found).join("\n"));
  const { report } = flags;
  if (report !== undefined) {
    await saveText(report, explorePage(found, report, given.argv.join(" ")));
    process.stderr.write(`usergroup-mock: all results are in ${report}\n`);
  }
  if (logs.isShown)
    process.stderr.write(`usergroup-mock: logs and reports of runs are in ${shortPath(logs.path)}\n`);
}

function hasBreak({ parts }: Found): boolean {
  const rows = parts.flatMap(({ sections }) => sections.flatMap((section) => section.rows));
  return rows.some(({ cells }) => cells.some(isBreak));
}

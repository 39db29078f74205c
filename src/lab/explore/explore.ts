import { MockError } from "../../fake/contract/mock-error.js";
import { onInterrupt, print, printFailure } from "../../foundation/terminal.js";
import type { GivenCommand } from "../../options/given-command.js";
import { rejectFlag } from "../../options/reject-flag.js";
import { readSettings } from "../run-command.js";
import { assumptionValues } from "./assumption-values.js";
import { wantedFailures } from "./changes.js";
import { Exploration, type ExploreFlags } from "./exploration.js";
import { exploreAssumptions } from "./explore-assumptions.js";
import { exploreFaults } from "./explore-faults.js";
import { type Found, foundLines, shortPath } from "./findings.js";

/** `usergroup-mock explore -- <command>`. Returns the exit code. */
export async function explore(given: GivenCommand, flags: ExploreFlags): Promise<number> {
  const { faults = false, only = [], maxRuns, silence } = flags;
  if (!faults && maxRuns !== undefined) rejectFlag("--max-runs requires --faults");
  if (!faults && silence !== undefined) rejectFlag("--silence requires --faults");
  const read = await readSettings("explore", given);
  const wanted = only.flatMap((item) => item.split(","));
  const failures = faults ? wantedFailures(wanted) : [];
  const values = faults ? [] : await assumptionValues(read, wanted);
  const exploration = new Exploration(given, read, flags);
  onInterrupt((exitCode) => exploration.stop(exitCode, "interrupted"));
  try {
    const first = await exploration.first();
    if (first === undefined) {
      process.stderr.write("usergroup-mock: interrupted in the first run, so nothing is known yet\n");
      return exploration.exitCode(2);
    }
    const found = faults
      ? await exploreFaults(exploration, first, failures)
      : await exploreAssumptions(exploration, first, values);
    showFound(found, exploration);
    return exploration.exitCode(flags.strict && found.hasBreak ? 1 : 0);
  } catch (error) {
    exploration.progress.clear();
    if (!(error instanceof MockError) || !/^(no_command|nothing_found)$/.test(error.code)) throw error;
    printFailure(error);
    return exploration.exitCode(2);
  } finally {
    exploration.logs.removeRest();
  }
}

function showFound(found: Found, { flags, logs, progress }: Exploration): void {
  progress.clear();
  print(flags.json ? JSON.stringify(found.json, undefined, 2) : foundLines(found).join("\n"));
  if (logs.isShown)
    process.stderr.write(`usergroup-mock: logs and reports of runs are in ${shortPath(logs.path)}\n`);
}

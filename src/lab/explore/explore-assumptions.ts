import { counted } from "../../foundation/grammar.js";
import type { RunSeen } from "../../run/begin-run.js";
import type { Change, EndedRun, wantedValues } from "./changes.js";
import type { Exploration } from "./exploration.js";
import { type Found, isBreak, labelList, showFinding } from "./findings.js";
import type { ChangeFinding } from "./judge-runs.js";

/** Finds the assumptions that tests depend on. */
export async function exploreAssumptions(
  exploration: Exploration,
  first: EndedRun,
  values: ReturnType<typeof wantedValues>,
): Promise<Found> {
  const { decided, known, tests } = first.seen;
  const { all } = exploration.flags;
  const changes = values.map((value): Change => ({ ...value, tests }));
  const isNeeded = ({ of }: Change) => decided.has(of) || (all && !known.has(of));
  const needed = changes.filter(isNeeded);
  const plan = await exploration.carryOut(needed, first);
  const findings = changes.flatMap((change): ChangeFinding | [] => {
    const found = plan.findings.find((one) => one.change === change);
    if (found === undefined && isNeeded(change)) return [];
    const { result = "survives", shown = first } = found ?? {};
    const named = result === "survives" ? nameSurvival(change, shown.seen) : result;
    return { tests: [], ...found, change, result: named };
  });
  const cells = findings.map((finding) => {
    const { of: id, to: value } = finding.change;
    return { id, value, ...showFinding(finding, exploration.given) };
  });
  const dependsOn = [...new Set(findings.filter(isBreak).map(({ change }) => change.of))];
  const ids = new Set(findings.map(({ change }) => change.of)).size;
  // What the profile has is not changed, so tests can only depend on what it lacks.
  const unknown = dependsOn.length === 1 ? "it is not known" : `none of the ${dependsOn.length} is known`;
  const left = changes.length - findings.length;
  const notes = {
    flaky: "a test failed with it and passed when it was repeated, or fails too often with other values",
    "not exercised": `no response depended on the assumption${all ? "" : ", so no run was needed"}`,
    pinned: "responses depended on the assumption only where a test sets it",
    known: "the profile has the value",
  };
  return {
    titles: ["assumption", "if it were", "result"],
    rows: cells.map((cell) => ({ heads: [cell.id, cell.value], cells: [cell] })),
    lines: [
      ...findings.flatMap(testLine),
      `Your tests depend on ${dependsOn.length} of ${counted(ids, "assumption")}${dependsOn.length > 0 ? `; ${unknown}` : ""}.`,
      ...(dependsOn.length > 0 ? [verifyAdvice] : []),
      ...Object.entries(notes).flatMap(([result, reason]) => {
        const count = findings.filter((finding) => finding.result === result).length;
        return count === 0 ? [] : `${count} of ${counted(findings.length, "value")} ${result}: ${reason}.`;
      }),
      ...(left > 0 ? [`Interrupted before ${left} of ${counted(needed.length, "value")}.`] : []),
    ],
    legend: {
      passes: "your tests pass with this value",
      breaks: "your tests fail with it three times of three",
      ...notes,
    },
    json: { dependsOn, findings: cells },
  };
}

/** That tests pass proves something only if responses depended on the assumption. */
function nameSurvival({ of: id }: Change, { decided, pinned, known }: RunSeen) {
  if (decided.has(id)) return "passes";
  if (known.has(id)) return "known";
  return pinned.has(id) ? "pinned" : "not exercised";
}

/** Which tests break or are flaky. */
function testLine({ change, result, tests, shown }: ChangeFinding): string | [] {
  const names = labelList(tests);
  if (result === "flaky")
    return `${change.name} is flaky: ${names || "your tests"} failed and passed. Log: ${shown?.log}`;
  return result === "breaks" && names !== "" ? `${change.name} breaks ${names}` : [];
}

const verifyAdvice =
  "To find out which values are true, ask the real service: npx usergroup-mock verify --against <url> --api-token <token> --out profile.json. Then start the mock with --profile profile.json.";

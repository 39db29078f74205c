import { counted } from "../../foundation/grammar.js";
import type { RunSeen } from "../../run/begin-run.js";
import type { Change, EndedRun, wantedValues } from "./changes.js";
import type { Exploration } from "./exploration.js";
import {
  type Cell,
  confirmingText,
  type Found,
  isBreak,
  type Section,
  shortPath,
  showFinding,
  tableLines,
} from "./findings.js";
import type { ChangeFinding } from "./judge-runs.js";
import type { Plan } from "./plan-runs.js";
import { labelList } from "./test-label.js";

const titles = ["assumption", "if it were", "result"];

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
  const findingsOf = (plan: Plan) =>
    changes.flatMap((change): ChangeFinding | [] => {
      const found = plan.findings.find((one) => one.change === change);
      if (found === undefined && isNeeded(change)) return [];
      const { result = "survives", shown = first } = found ?? {};
      const named = result === "survives" ? nameSurvival(change, shown.seen) : result;
      return { tests: [], ...found, change, result: named };
    });
  const showSeen = (plan: Plan) => {
    const sections = layOutRows(findingsOf(plan), ({ result }) => ({ result }));
    return ["", ...tableLines(titles, sections), "", confirmingText(plan.next)];
  };
  const findings = findingsOf(await exploration.carryOut(needed, first, showSeen));

  const cells = new Map(
    findings.map((finding) => [finding, showFinding(finding, exploration.given, exploration.logs)]),
  );
  const cellOf = (finding: ChangeFinding): Cell => cells.get(finding) ?? { result: finding.result };
  const broken = findings.filter(isBreak);
  const dependsOn = [...new Set(broken.map(({ change }) => change.of))];
  const ids = new Set(findings.map(({ change }) => change.of)).size;
  // What the profile has is not changed, so tests can only depend on what it lacks.
  const unknown = dependsOn.length === 1 ? "it is not known" : `none of the ${dependsOn.length} is known`;
  const left = changes.length - findings.length;
  const notes = {
    flaky: "a test failed with it and passed when it was repeated, or fails too often with other values",
    unconfirmed: "a test failed with it once, and it was not tried again",
    "not exercised": `no response depended on the assumption${all ? "" : ", so no run was needed"}`,
    pinned: "responses depended on the assumption only where a test sets it",
    known: "the profile has the value",
  };
  return {
    titles,
    parts: [
      {
        causes: broken.map((finding) => ({
          text: breakText(finding),
          advice: "",
          example: cellOf(finding),
        })),
        sections: layOutRows(findings, cellOf),
      },
    ],
    lines: [
      ...findings.flatMap((finding) => flakyLine(finding, cellOf(finding))),
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
      breaks: "your tests fail with it each time that it is tried",
      ...notes,
    },
    json: {
      dependsOn,
      findings: findings.map((finding) => {
        const { of: id, to: value } = finding.change;
        return { id, value, ...cellOf(finding) };
      }),
    },
  };
}

function layOutRows(findings: readonly ChangeFinding[], cellOf: (finding: ChangeFinding) => Cell): Section[] {
  const rows = findings.map((finding) => ({
    heads: [finding.change.of, finding.change.to],
    cells: [cellOf(finding)],
  }));
  return [{ rows }];
}

/** That tests pass proves something only if responses depended on the assumption. */
function nameSurvival({ of: id }: Change, { decided, pinned, known }: RunSeen) {
  if (decided.has(id)) return "passes";
  if (known.has(id)) return "known";
  return pinned.has(id) ? "pinned" : "not exercised";
}

/** `created-status=201 breaks creates a group (a.test.ts): expected 201 to be 200` */
function breakText({ change, tests, error }: ChangeFinding): string {
  const end = error === undefined || tests.length > 1 ? "" : `: ${error}`;
  return `${change.name} breaks ${labelList(tests) || "your tests"}${end}`;
}

function flakyLine({ change, result, tests }: ChangeFinding, { log = "" }: Cell): string | [] {
  if (result !== "flaky") return [];
  return `${change.name} is flaky: ${labelList(tests) || "your tests"} failed and passed. Log: ${shortPath(log)}`;
}

const verifyAdvice =
  "To find out which values are true, ask the real service: npx usergroup-mock verify --against <url> --api-token <token> --out profile.json. Then start the mock with --profile profile.json.";

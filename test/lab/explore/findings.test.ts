import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Cell, foundLines, shortPath, showFinding } from "../../../src/lab/explore/findings.js";
import type { LogFolder } from "../../../src/lab/explore/log-folder.js";
import { ModelSuite, modelTests } from "./suite-model.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-findings-"));
afterAll(() => rmSync(folder, { recursive: true }));
const log = join(folder, "run-002.log");
writeFileSync(log, "the last line\n");

const empty = { titles: [], sections: [], causes: [], lines: [], hasBreak: false, json: {} };

describe("a cause on a screen", () => {
  const linesOf = (example: Cell) => {
    const cause = { text: "lost breaks it", advice: "Retry.", example };
    return foundLines({ ...empty, causes: [cause], lines: ["a summary"] });
  };
  const failed = (message: string | undefined) => {
    const error = message === undefined ? undefined : { message, code: undefined };
    return [{ name: "t", file: "a.test.ts", result: "failed", error }] as NonNullable<Cell["tests"]>;
  };

  it("has its advice, and the log and command of its example", () => {
    expect(linesOf({ result: "breaks", log, repeat: "npx …", tests: failed("no") })).toEqual([
      "lost breaks it",
      "  Retry.",
      `  log     ${log}`,
      "  repeat  npx …",
      "",
      "a summary",
    ]);
  });

  it("has the end of the log if no error of a test is known", () => {
    for (const tests of [[], failed(undefined)])
      expect(linesOf({ result: "breaks", log, tests })).toContain("  | the last line");
    expect(linesOf({ result: "breaks", log, tests: failed("no") })).not.toContain("  | the last line");
  });
});

it("a cause without a log has only its text and advice", () => {
  const cause = { text: "lost breaks it", advice: "Retry.", example: { result: "breaks" } };
  expect(foundLines({ ...empty, causes: [cause] })).toEqual(["lost breaks it", "  Retry.", ""]);
});

describe("a table of explore", () => {
  it("has each row below the title of its section, and what needs a look in capital letters", () => {
    const row = (head: string, ...results: string[]) => ({
      heads: [head],
      cells: results.map((result) => ({ result })),
    });
    const sections = [
      { rows: [row("a#1", "survives", "unconfirmed")] },
      { title: "t (a.test.ts)", rows: [row("b#1", "breaks", "hangs"), row("c#1", "recovers", "-")] },
    ];
    expect(foundLines({ ...empty, titles: ["request", "reset", "lost"], sections })).toEqual([
      "  request  reset     lost",
      "  a#1      survives  fails?",
      "  t (a.test.ts)",
      "    b#1    BREAKS    HANGS",
      "    c#1    recovers  -",
      "",
    ]);
  });
});

describe("a finding with its evidence", () => {
  const suite = new ModelSuite(modelTests(2), { failures: ["lost"] });
  const [change = expect.fail()] = suite.changes;
  const shown = { ...suite.run([change]), log };
  const logs = { keep: (run) => run.log } as LogFolder;
  const given = { serverFlags: {}, argv: ["npm", "test"] };
  const show = (result: string) => showFinding({ change, shown, result }, { given, logs });

  it.each(["hangs", "breaks", "recovers", "unconfirmed", "flaky"])("has the log of a run: %s", (result) => {
    expect(show(result)).toMatchObject({ log });
  });

  it("has the report of a run if there is one", () => {
    expect(show("breaks")).not.toHaveProperty("report");
    const report = join(folder, "run-002.html");
    writeFileSync(report, "");
    expect(show("breaks")).toMatchObject({ report });
  });

  it.each(["survives", "not met"])("has no log: %s", (result) => {
    expect(show(result)).toEqual({
      result,
      exitCode: 0,
      durationMs: 1,
      repeat: `npx usergroup-mock exec --inject ${change.name} -- npm test`,
      tests: [expect.objectContaining({ name: "t0" })],
    });
  });

  it("has the test that sends the request, or all if that is not known", () => {
    expect(show("breaks").tests?.map(({ name }) => name)).toEqual(["t0"]);
    const { tests } = showFinding(
      { change: { ...change, test: undefined }, shown, result: "breaks" },
      { given, logs },
    );
    expect(tests?.map(({ name }) => name)).toEqual(["t0", "t1"]);
  });
});

describe("a path on a screen", () => {
  it("begins at the current folder if it is in there", () => {
    const inside = join("logs", "run-002.log");
    expect(shortPath(resolve(inside))).toBe(inside);
    const outside = resolve("..", "logs");
    expect(shortPath(outside)).toBe(outside);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Change, EndedRun } from "../../../src/lab/explore/changes.js";
import { type Cell, foundLines, shortPath, showFinding } from "../../../src/lab/explore/findings.js";
import type { LogFolder } from "../../../src/lab/explore/log-folder.js";
import { ModelSuite, modelTests } from "./suite-model.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-findings-"));
afterAll(() => rmSync(folder, { recursive: true }));
const log = join(folder, "run-002.log");
writeFileSync(log, "the last line\n");

describe("a cause on a screen", () => {
  const linesOf = (example: Cell) =>
    foundLines({
      titles: ["request", "lost"],
      parts: [{ causes: [{ text: "lost breaks it", advice: "Retry.", example }], sections: [] }],
      lines: ["a summary"],
      legend: {},
      json: {},
    });
  const test = { name: "t", file: "a.test.ts", result: "failed" } as const;
  const failed = (message: string | undefined) => [
    { ...test, error: message === undefined ? undefined : { message, code: undefined } },
  ];

  it("has its advice, and the log, report and command of its example", () => {
    const example = { result: "breaks", log, report: join(folder, "run-002.html"), repeat: "npx …" };
    const known = { ...example, tests: failed("no") as NonNullable<Cell["tests"]> };
    expect(linesOf(known)).toEqual([
      "lost breaks it",
      "  Retry.",
      `  log     ${log}`,
      `  report  ${join(folder, "run-002.html")}`,
      "  repeat  npx …",
      "",
      "  request  lost",
      "",
      "a summary",
    ]);
  });

  it("has the end of the log if no error of a test is known", () => {
    for (const tests of [[], failed(undefined)] as NonNullable<Cell["tests"]>[])
      expect(linesOf({ result: "breaks", log, tests })).toContain("  | the last line");
    const known = failed("no") as NonNullable<Cell["tests"]>;
    expect(linesOf({ result: "breaks", log, tests: known })).not.toContain("  | the last line");
  });
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
    const titles = ["request", "reset", "lost"];
    expect(
      foundLines({
        titles,
        parts: [{ title: "A part:", causes: [], sections }],
        lines: [],
        legend: {},
        json: {},
      }),
    ).toEqual([
      "A part:",
      "",
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
  const suite = new ModelSuite(modelTests(2, 1), { failures: ["lost"] });
  const [change = expect.fail(), other = expect.fail()] = suite.changes;
  const shown = { ...suite.run([change]), log };
  const named: (readonly [EndedRun, Change])[] = [];
  const logs = {
    nameLog: (run: EndedRun, by: Change) => {
      named.push([run, by]);
      return join(folder, "named.log");
    },
  } as LogFolder;
  const given = { serverFlags: {}, argv: ["npm", "test"] };
  const show = (result: string, more: { shownBy?: Change; tests?: Change["tests"] } = {}) =>
    showFinding(
      { change: { ...change, tests: more.tests ?? change.tests }, tests: [], shown, ...more, result },
      given,
      logs,
    );

  it.each(["hangs", "breaks", "recovers", "unconfirmed", "flaky"])(
    "has the log and the report of a run: %s",
    (result) => {
      expect(show(result)).toMatchObject({
        log: join(folder, "named.log"),
        report: join(folder, "run-002.html"),
      });
      expect(named.at(-1)).toEqual([shown, change]);
    },
  );

  it.each(["survives", "not met"])("has no log: %s", (result) => {
    expect(show(result)).toEqual({
      result,
      exitCode: 0,
      durationMs: 1,
      repeat: `npx usergroup-mock exec --inject ${change.name} -- npm test`,
      tests: [expect.objectContaining({ name: "t0" })],
    });
  });

  it("names the log after the change that the run shows", () => {
    show("breaks", { shownBy: other });
    expect(named.at(-1)?.[1]).toBe(other);
  });

  it("has the tests that the change concerns, or all if it concerns the whole command", () => {
    expect(show("breaks").tests?.map(({ name }) => name)).toEqual(["t0"]);
    expect(show("breaks", { tests: [] }).tests?.map(({ name }) => name)).toEqual(["t0", "t1"]);
  });

  it("has only its result if no run was needed", () => {
    const finding = { change, result: "not exercised", tests: [] };
    expect(showFinding(finding, given, logs)).toEqual({ result: "not exercised" });
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

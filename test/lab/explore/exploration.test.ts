import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Exploration, type ExploreFlags } from "../../../src/lab/explore/exploration.js";
import { readSettings } from "../../../src/lab/run-command.js";
import { ModelSuite, modelTests } from "./suite-model.js";

beforeEach(() => void vi.spyOn(process.stderr, "write").mockReturnValue(true));
afterEach(() => vi.restoreAllMocks());

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-exploration-"));
afterAll(() => rmSync(folder, { recursive: true }));

const { changes, first } = new ModelSuite(
  modelTests(3, () => ({ requests: 1 })),
  { failures: ["lost"] },
);

/** An exploration of a command whose first run took so long. */
async function exploring(flags: ExploreFlags = {}, { source = "", durationMs = 1 } = {}) {
  const given = { serverFlags: {}, argv: [process.execPath, "-e", source] };
  const exploration = new Exploration(given, await readSettings("explore", given), {
    logs: folder,
    ...flags,
  });
  exploration.ended.push({ ...first, durationMs });
  return exploration;
}

describe("a run of explore", () => {
  it.each<[what: string, seconds: number, flags: ExploreFlags, durationMs: number]>([
    ["at least 30 s, and 3 s for each failure", 30 + 2 * 3, {}, 1],
    ["ten times as long as the first one", 40 + 2 * 3, {}, 4_000],
    [
      "as long as --run-timeout, and --silence for each failure",
      40 + 2 * 5,
      { runTimeout: 40, silence: 5 },
      1,
    ],
  ])("may last %s", async (_, seconds, flags, durationMs) => {
    const timeout = vi.spyOn(AbortSignal, "timeout");
    const exploration = await exploring(flags, { durationMs });
    expect(await exploration.make([changes.slice(0, 2)])).toBe(true);
    expect(timeout).toHaveBeenCalledExactlyOnceWith(seconds * 1_000);
    exploration.logs.removeRest();
  });

  it("may have a limit that is longer than a timer", async () => {
    const exploration = await exploring({ runTimeout: 2 ** 33 }, { source: "setTimeout(() => {}, 50)" });
    await exploration.make([changes]);
    expect(exploration.ended.at(-1)).toMatchObject({ hangs: false, exitCode: 0 });
    exploration.logs.removeRest();
  });

  it("has its number in the name of its log", async () => {
    const exploration = await exploring();
    await exploration.make([changes, changes]);
    expect(exploration.ended.slice(1).map(({ log }) => basename(log))).toEqual([
      "run-001.log",
      "run-002.log",
    ]);
    exploration.logs.removeRest();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a run of explore that cannot be made", () => {
  it("ends the exploration with a reason, and the runs before it count", async () => {
    const exploration = await exploring();
    await exploration.make([changes]);
    rmSync(exploration.logs.path, { recursive: true });
    expect(await exploration.make([changes, changes])).toBe(false);
    const { ended, endedEarly } = exploration;
    expect([ended.length, endedEarly]).toEqual([2, "a run could not be made"]);
    expect(exploration.exitCode(0)).toBe(1);
    const printed = vi.mocked(process.stderr.write).mock.calls.join("");
    expect(printed).toContain("usergroup-mock: ENOENT: no such file or directory, open ");
  });
});

describe("explore --max-runs", () => {
  it.each<[maxRuns: number, ended: number, endedEarly: string | undefined]>([
    [1, 1, "--max-runs 1"],
    [2, 2, "--max-runs 2"],
    [3, 3, undefined],
    [9, 3, undefined],
  ])("counts the first run: %i", async (maxRuns, ended, endedEarly) => {
    const exploration = await exploring({ maxRuns });
    expect(await exploration.make([changes, changes])).toBe(endedEarly === undefined);
    expect([exploration.ended.length, exploration.endedEarly]).toEqual([ended, endedEarly]);
    exploration.logs.removeRest();
  });
});

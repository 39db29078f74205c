import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { Exploration } from "../../../src/lab/explore/exploration.js";
import { readSettings } from "../../../src/lab/run-command.js";
import { ModelSuite } from "./suite-model.js";

afterEach(() => vi.restoreAllMocks());

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-exploration-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a run of explore", () => {
  it.each([32_439.999, 2 ** 31, 2 ** 33])(
    "may last %f ms longer if a test has that timeout",
    async (timeoutMs) => {
      vi.spyOn(process.stderr, "write").mockReturnValue(true);
      const given = { serverFlags: {}, argv: [process.execPath, "-e", "setTimeout(() => {}, 50)"] };
      const settings = await readSettings("explore", given);
      const exploration = new Exploration(given, settings, { maxRuns: 1, logs: join(folder, "logs") });
      const suite = new ModelSuite([{ name: "t", file: "a", timeoutMs }]);
      const changes = suite.changes.slice(0, 1);
      const { findings } = await exploration.carryOut(changes, suite.run([]), () => []);
      exploration.logs.removeRest();
      expect(findings).toMatchObject([{ result: "not met", shown: { hangs: false } }]);
      expect(existsSync(join(folder, "logs"))).toBe(false);
    },
  );

  it("may last longer by the timeouts of all tests with a failure", async () => {
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const timeout = vi.spyOn(AbortSignal, "timeout");
    const given = { serverFlags: {}, argv: [process.execPath, "-e", ""] };
    const settings = await readSettings("explore", given);
    const flags = { maxRuns: 3, runTimeout: 40, logs: join(folder, "logs") };
    const exploration = new Exploration(given, settings, flags);
    const tests = [1_000, 2_000].map((timeoutMs) => ({ name: `t${timeoutMs}`, file: "a", timeoutMs }));
    const suite = new ModelSuite(tests, { failures: ["lost"] });
    await exploration.carryOut(suite.changes, suite.run([]), () => []);
    exploration.logs.removeRest();
    expect(timeout.mock.calls.flat().sort()).toEqual([41_000, 42_000, 43_000]);
  });
});

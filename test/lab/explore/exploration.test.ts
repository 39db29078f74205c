import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
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

  it.each([
    [1, 30],
    [4_000, 40],
  ])(
    "may last ten times as long as the first one, which took %i ms, but at least 30 s: %i s",
    async (durationMs, seconds) => {
      vi.spyOn(process.stderr, "write").mockReturnValue(true);
      const timeout = vi.spyOn(AbortSignal, "timeout");
      const given = { serverFlags: {}, argv: [process.execPath, "-e", ""] };
      const settings = await readSettings("explore", given);
      const exploration = new Exploration(given, settings, { maxRuns: 1, logs: join(folder, "logs") });
      const suite = new ModelSuite([{ name: "t", file: "a", timeoutMs: 0 }], { failures: ["lost"] });
      await exploration.carryOut(suite.changes, { ...suite.run([]), durationMs }, () => []);
      exploration.logs.removeRest();
      expect(timeout.mock.calls.flat().map((ms) => Math.round(ms / 1_000))).toEqual([seconds]);
    },
  );
});

describe("a first run of explore that does not end", () => {
  it("is killed, and its log is kept", async () => {
    const printed: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((part) => printed.push(String(part)) > 0);
    const given = { serverFlags: {}, argv: ["sh", "-c", "echo started; sleep 60"] };
    const logs = join(folder, "hanging");
    const exploration = new Exploration(given, await readSettings("explore", given), {
      runTimeout: 0.3,
      logs,
    });
    await expect(exploration.first()).rejects.toMatchObject({
      code: "baseline",
      message: expect.stringMatching(
        /^Your tests did not end within 0\.3 s in the first run, which changes nothing\. .* Full output: .*run-001\.log$/,
      ),
    });
    exploration.logs.removeRest();
    expect(readdirSync(logs)).toContain("run-001.log");
    expect(printed.join("")).toMatch(/first run fails \(.*\)\n/);
  });
});

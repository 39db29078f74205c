import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { assumptionIds, defaultAssumptions } from "../../../src/contract/assumptions.js";
import { startMock } from "../../../src/index.js";
import { facts } from "../../../src/lab/verify/facts.js";
import { runHere } from "../../cli/run-here.js";
import { startCli } from "../../cli-process.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-progress-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

vi.setConfig({ testTimeout: 60_000 });

const firstQuestion = Object.keys(facts).length + 1;
const stepCount = firstQuestion + assumptionIds.length;

const tokens = ["--api-token", "test-api-token", "--second-api-token", "other-api-token"];
const argsFor = (url: string) => ["verify", "--against", url, ...tokens, "--yes"];

describe.concurrent("the progress of verify", () => {
  it("is a line for each fact and question in a pipe", async () => {
    await using mock = await startMock();
    const { code, stderr } = await runHere(argsFor(mock.url));
    const lines = stderr.trimEnd().split("\n");
    const steps = lines.map((line) => line.replace(/ \([\d.]+ s(, about \d+ s left)?\)$/, ""));
    expect(steps).toHaveLength(stepCount);
    expect(steps.slice(0, 2)).toEqual([
      `1/${stepCount} first request: ok`,
      `2/${stepCount} get-or-create returns success 1, new_user_group and user_group, and nothing else: holds`,
    ]);
    expect(steps.slice(firstQuestion)).toEqual(
      assumptionIds.map((id, n) => `${firstQuestion + n + 1}/${stepCount} ${id}: ${defaultAssumptions[id]}`),
    );
    expect(lines[firstQuestion]).toMatch(/ \(\d\.\d s, about \d+ s left\)$/);
    expect(code).toBe(0);
  });
});

describe.concurrent("a signal to verify", () => {
  /** Runs until the second fact, whose request is held, and sends a signal. */
  async function interrupt(signal: NodeJS.Signals, ...more: string[]) {
    await using mock = await startMock();
    await mock.hold({ operation: "rotate" });
    await using running = startCli([...argsFor(mock.url), ...more]);
    await vi.waitFor(() => expect(running.stderr()).toContain("\n2/"), 30_000);
    running.child.kill(signal);
    const ended = await running.exited;
    return { ...ended, stdout: running.stdout(), stderr: running.stderr() };
  }

  it("prints the findings so far, and ends with 128 and its number", async () => {
    const out = join(folder, "out.json");
    const { stdout, stderr, ...ended } = await interrupt("SIGINT", "--out", out);
    expect(ended).toEqual({ code: 130, signal: null });
    expect(stdout.match(/^ {2}holds .*$/gm)).toEqual([
      "  holds   get-or-create returns success 1, new_user_group and user_group, and nothing else",
    ]);
    expect(stdout).toContain("\n1 of 1 facts hold.");
    const all = stepCount - 1;
    expect(stdout).toMatch(new RegExp(`\nInterrupted: 1 of ${all} facts and questions checked\\.\n$`));
    expect(stderr).toContain(`usergroup-mock: warning: ${out} was not written: verify was interrupted.\n`);
    expect(existsSync(out)).toBe(false);
  });
});

import { execFile } from "node:child_process";
import { describe, expect, it, vi } from "vitest";
import { assumptionIds, defaultAssumptions } from "../../../src/contract/assumptions.js";
import { startMock } from "../../../src/index.js";
import { facts } from "../../../src/lab/verify/facts.js";
import { runHere } from "../../cli/run-here.js";
import { bin } from "../../cli-process.js";
import { needs } from "../../needs.js";

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

/** A command of util-linux that runs a command on its own terminal. */
const script = "script";

describe("verify on a terminal", () => {
  it("shows what runs now on one line, and removes it before the table", async (context) => {
    needs(context, "script of util-linux");
    await using mock = await startMock();
    const words = [process.execPath, bin, ...argsFor(mock.url)].map((word) => `'${word}'`);
    const line = `stty cols 90; ${words.join(" ")}`;
    const output = await new Promise<string>((resolve) => {
      const child = execFile(script, ["-qec", line, "/dev/null"], { timeout: 55_000 }, (_, text) =>
        resolve(text),
      );
      child.stdin?.end();
    });
    const parts = output.split("\r\u001b[K");
    expect(parts.at(-1)).toMatch(/^Checked http:/);
    expect(parts).toContain("videos-path:");
    expect(parts.some((part) => part.startsWith(`${stepCount}/${stepCount} videos-path: absent (`))).toBe(
      true,
    );
    const running = parts.slice(1, -1).filter((part) => !part.endsWith("\n"));
    expect(running.filter((part) => part.length >= 90)).toEqual([]);
  });
});

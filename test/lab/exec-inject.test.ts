import { describe, expect, it } from "vitest";
import { runHere } from "../cli/run-here.js";
import { command, places, program } from "../cli/small-programs.js";
import { bin, runCli } from "../cli-process.js";
import { isLong } from "../long.js";
import { ownRun } from "../run/own-run.js";

const node = process.execPath;
const injecting = (inject: string, work: string) => ["exec", "--inject", inject, ...command(work)];
const exec = (inject: string, work: string) => runCli(injecting(inject, work));

describe.concurrent("exec --inject", () => {
  it.each(isLong ? places : places.filter(([place]) => place.includes("thread")))(
    "reaches a mock that is %s",
    async (_, work) => {
      const { code, stderr } = await exec("get-or-create:acme=unavailable", work);
      expect(stderr).toContain("no group: 503");
      expect(stderr).not.toContain("there was no such request");
      expect(code).not.toBe(0);
    },
  );

  it.each([
    [7, 7],
    [0, 2],
  ])("warns if there was no such request: the command exits with %i, and exec with %i", async (own, code) => {
    const work = `await create(url); process.exit(${own});`;
    const ended = await runHere(injecting("w1/rotate:acme#2=lost", work));
    const stderr =
      "usergroup-mock: warning: --inject w1/rotate:acme#2=lost: there was no such request. explore --faults lists the requests.\n";
    expect(ended).toEqual({ code, stdout: "", stderr });
  });

  it("of an inner exec replaces that of the outer exec, whose response names its request and failure", async () => {
    const inner = [
      bin,
      "exec",
      "--inject",
      "get-or-create=throttled",
      "--",
      node,
      ...program("await create(url);"),
    ];
    const work = `
      const { stderr } = require("node:child_process").spawnSync(process.execPath, ${JSON.stringify(inner)}, { encoding: "utf8" });
      console.log(/no group: \\d+/.exec(stderr)[0]);
      const sent = { user_group_id: "acme", name: "Acme" };
      console.log(JSON.stringify(await hasty(url, apiToken).call("GET", sent)));`;
    const { stdout, stderr } = await exec("get-or-create:acme=unavailable", work);
    expect(stdout).toMatch(/^no group: 429\n\{"status":503,/);
    expect(stdout).toContain("The injected failure get-or-create:acme#1=unavailable returned 503");
    // It has no number, unlike a fault.
    expect(stdout).not.toMatch(/fault 0/i);
    expect(stderr).toBe("");
  });

  it("rejects an unknown failure before the command starts", async () => {
    const { code, stdout, stderr } = await runHere([
      "exec",
      "--inject",
      "rotate=loss",
      ...command('console.log("ran");'),
    ]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^usergroup-mock: --inject "rotate=loss" is invalid\. .+\n$/);
    expect(stderr).toContain("Failures: unavailable, throttled, reset, lost, ");
  });
});

describe("a mock", () => {
  it("does not start if the run of its exec has ended", async () => {
    const run = ownRun();
    run[Symbol.dispose]();
    const env = { ...process.env, USERGROUP_MOCK_RUN: run.folder };
    const { code, stderr } = await runCli(["--port", "0"], { env });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("Unset it, or start the mock within that command."),
    ]);
  });
});

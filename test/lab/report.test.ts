import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { ReportData } from "../../src/report/report-data.js";
import { call, create } from "../call.js";
import { runHere } from "../cli/run-here.js";
import { command } from "../cli/small-programs.js";
import { bin, startCli } from "../cli-process.js";

vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-reports-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The data of a report. */
function dataIn(file: string): ReportData {
  const [, json = ""] =
    /<script type="application\/json" id="report">(.*?)<\/script>/s.exec(readFileSync(file, "utf8")) ?? [];
  return JSON.parse(json);
}

/** The group ids of the requests in a report. */
const groupsIn = ({ worlds }: ReportData) =>
  worlds
    .flatMap(({ journal, history }) => [journal, ...history.map((past) => past.journal)])
    .flatMap(({ requests }) =>
      requests.map(({ request }) => (request.body as { user_group_id: string }).user_group_id),
    )
    .sort();

describe.concurrent("exec --report", () => {
  it("is written if the command fails, with the requests of all its mocks and of dropped worlds", async () => {
    const file = join(folder, "new", "failed.html");
    const work = `const mock = await startMock(); await create(mock.url, "inside");
      await create(mock.world("w1").url, "dropped"); await mock.world("w1").drop(); await mock.stop();
      await create(url, "around"); process.exit(3);`;
    const { code, stderr } = await runHere(["exec", "--report", file, ...command(work)]);
    expect([code, stderr]).toEqual([3, `usergroup-mock: report written to ${file}\n`]);
    const requests = dataIn(file).worlds.flatMap(({ name, journal, history }) =>
      [journal, ...history.map((past) => past.journal)].flatMap(({ requests }) =>
        requests.map(({ request }) => [name, (request.body as { user_group_id: string }).user_group_id]),
      ),
    );
    expect(requests.map(([, id]) => id).sort()).toEqual(["around", "dropped", "inside"]);
    expect(requests.find(([, id]) => id === "dropped")?.[0]).toBe("w1");
    // Two mocks had a world called default.
    expect(new Set(requests.map(([name]) => name)).size).toBe(3);
  });

  it("assigns a request of a killed process to the test in which it began", async () => {
    const file = join(folder, "reset.html");
    const work = `const mock = await startMock(); await mock.reset({ label: "first" });
      const held = await mock.hold(); const first = create(mock.url, "a").catch(() => {});
      await held.arrived(); await mock.reset({ label: "second" }); await first;
      await create(mock.url, "b"); process.kill(process.pid, "SIGKILL");`;
    expect((await runHere(["exec", "--report", file, ...command(work)])).code).toBe(137);
    const [world] = dataIn(file).worlds;
    const tests = [...(world?.history ?? []), { label: "the last", journal: world?.journal }];
    const seen = tests.map(({ label, journal }) => [
      label,
      journal?.requests.map(({ id, request }) => [id, request.body]),
      Object.keys(journal?.texts ?? {}),
    ]);
    expect(seen).toEqual([
      ["first", [[1, { user_group_id: "a", name: "a" }]], ["1"]],
      ["the last", [[1, { user_group_id: "b", name: "b" }]], ["1"]],
    ]);
  });

  it("is written for a command that succeeds only with --report-always", async () => {
    const file = join(folder, "good.html");
    const work = `await create(url, "a");`;
    await runHere(["exec", "--report", file, ...command(work)]);
    expect(() => readFileSync(file)).toThrow("ENOENT");
    await runHere(["exec", "--report", file, "--report-always", ...command(work)]);
    expect(dataIn(file).worlds).toMatchObject([{ name: "default" }]);
    const { code, stderr } = await runHere(["exec", "--report-always", ...command(work)]);
    expect([code, stderr]).toEqual([1, "usergroup-mock: --report-always needs --report <file>.\n"]);
  });
});

describe.concurrent("serve --report", () => {
  it("is written at the end, with every world and its history", async () => {
    const file = join(folder, "served.html");
    await using cli = startCli(["--port", "0", "--log", "silent", "--report", file]);
    const url = await cli.ready;
    await create(url, "first");
    await call("POST", `${url}/__admin/reset`, { label: "second" });
    await create(url, "later");
    await create(`${url}/worlds/w3`, "other");
    cli.child.kill("SIGTERM");
    expect(await cli.exited).toEqual({ code: 143, signal: null });
    const { worlds } = dataIn(file);
    expect(
      worlds.map(({ name, journal, history }) => [name, journal.requests.length, history.length]),
    ).toEqual([
      ["default", 1, 1],
      ["w3", 1, 0],
    ]);
  });
});

describe.concurrent("explore", () => {
  it("reports the requests of an inner exec, and has its own folder for reports of tests", async () => {
    const logs = join(folder, "logs-around-exec");
    const work = `console.log(process.env.USERGROUP_MOCK_TEST_REPORTS); const mock = await startMock();
      await create(mock.url, "a").catch(() => process.exit(1)); await mock.stop();`;
    const nested = ["--", process.execPath, bin, "exec", ...command(work)];
    const only = ["--only", "created-status", "--logs", logs];
    await runHere(["explore", ...only, ...nested]);
    expect(groupsIn(dataIn(join(logs, "002-created-status=201.html")))).toEqual(["a"]);
    expect(readFileSync(join(logs, "002-created-status=201.log"), "utf8")).toBe(
      `${join(logs, "002-created-status=201-tests")}\n`,
    );
  });
});

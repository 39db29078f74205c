import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { ReportData } from "../../src/contract/report-data.js";
import { call, create } from "../call.js";
import { startCli } from "../cli-process.js";
import { runHere } from "./run-here.js";

vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-reports-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a report holds. */
function dataIn(file: string): ReportData {
  const [, json = ""] =
    /<script type="application\/json" id="report">(.*?)<\/script>/s.exec(readFileSync(file, "utf8")) ?? [];
  return JSON.parse(json);
}

const package_ = pathToFileURL(join(import.meta.dirname, "../../dist/esm/index.js")).href;
const callOf = (url: string, id: string) =>
  `await new Promise((resolve) => {
    const body = JSON.stringify({ user_group_id: "${id}", name: "A" });
    const headers = { Authorization: "Token test-api-token", "Content-Type": "application/json", "Content-Length": body.length };
    http.request(${url} + "/api/user", { method: "GET", headers, agent: false }, (res) => res.resume().on("end", resolve)).end(body);
  });`;
const program = (work: string) => [
  "--",
  process.execPath,
  "--input-type=module",
  "-e",
  `import http from "node:http"; import { startMock } from ${JSON.stringify(package_)}; ${work}`,
];

describe.concurrent("exec --report", () => {
  it("is written when the command fails, with what mocks inside the command saw, also of dropped worlds", async () => {
    const file = join(folder, "new", "failed.html");
    const work = `const mock = await startMock(); ${callOf("mock.url", "inside")}
      ${callOf('mock.world("w1").url', "dropped")} await mock.world("w1").drop(); await mock.stop();
      ${callOf("process.env.USERGROUP_MOCK_URL", "around")} process.exit(3);`;
    const { code, stderr } = await runHere(["exec", "--report", file, ...program(work)]);
    expect([code, stderr]).toEqual([3, `usergroup-mock: what the mocks saw is in ${file}\n`]);
    const calls = dataIn(file).worlds.flatMap(({ name, journal, history }) =>
      [journal, ...history.map((past) => past.journal)].flatMap(({ requests }) =>
        requests.map(({ request }) => [name, (request.body as { user_group_id: string }).user_group_id]),
      ),
    );
    expect(calls.map(([, id]) => id).sort()).toEqual(["around", "dropped", "inside"]);
    expect(calls.find(([, id]) => id === "dropped")?.[0]).toBe("w1");
    // Two mocks had a world called default.
    expect(new Set(calls.map(([name]) => name)).size).toBe(3);
  });

  it("has the calls of a process that was killed", async () => {
    const file = join(folder, "killed.html");
    const work = `const mock = await startMock(); ${callOf("mock.url", "a")} process.kill(process.pid, "SIGKILL");`;
    const { code } = await runHere(["exec", "--report", file, ...program(work)]);
    expect(code).toBe(137);
    const [world] = dataIn(file).worlds;
    expect(world?.journal.requests).toMatchObject([{ effect: "created", delivery: "complete" }]);
  });

  it("is not written when the command succeeds, unless it is to be always", async () => {
    const file = join(folder, "good.html");
    const work = `${callOf("process.env.USERGROUP_MOCK_URL", "a")}`;
    await runHere(["exec", "--report", file, ...program(work)]);
    expect(() => readFileSync(file)).toThrow("ENOENT");
    await runHere(["exec", "--report", file, "--report-always", ...program(work)]);
    expect(dataIn(file).worlds).toMatchObject([{ name: "default" }]);
    const { code, stderr } = await runHere(["exec", "--report-always", ...program(work)]);
    expect([code, stderr]).toEqual([1, "usergroup-mock: --report-always goes with --report <file>\n"]);
  });
});

describe.concurrent("serve --report", () => {
  it("is written at the end, with every world and what was before a reset", async () => {
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
  it("keeps the reports of its runs apart, beside their logs", async () => {
    const logs = join(folder, "logs");
    const work = `const mock = await startMock(); ${callOf("mock.url", "a")}
      const [{ response }] = await mock.requests(); await mock.stop(); process.exit(response.status === 200 ? 0 : 1);`;
    const only = ["--only", "created-status", "--logs", logs];
    const { stdout } = await runHere(["explore", ...only, ...program(work)]);
    const [, report = ""] = /^ {2}report {2}(\S+)$/m.exec(stdout) ?? [];
    expect(report).toBe(join(logs, "002-created-status=201.html"));
    expect(dataIn(report).worlds[0]?.journal.requests).toMatchObject([{ response: { status: 201 } }]);
  });
});

import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { call, create, rotate } from "../call.js";
import { command } from "../cli/small-programs.js";
import { bin, startCli, startNode } from "../cli-process.js";
import { slowestCallDuring } from "../heavy/bystander.js";
import { readPage } from "./read-report.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-report-size-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** 32 MB, and the page itself. */
const limit = 32_500_000;

describe("a report is limited to 32 MB as it is written, and states what is missing", () => {
  it("with three faults of 9.5 MB, and what they responded", async () => {
    await using mock = startCli(["--port", "0", "--log", "silent"]);
    const url = await mock.ready;
    for (let n = 0; n < 3; n++)
      await call("POST", `${url}/__admin/faults`, { status: 503, text: "x".repeat(9_500_000) });
    const { token } = (await call("POST", `${url}/__admin/groups`, { provided_id: "a", name: "A" })).body;
    // The response is not JSON.
    for (let n = 0; n < 3; n++) await rotate(url, token).catch(() => {});
    const html = await (await fetch(`${url}/__admin/report.html`)).text();
    expect(Buffer.byteLength(html)).toBeLessThan(limit);
    const { tests, leftOut, ask } = readPage(html);
    expect(tests[0]?.journal.requests.map(({ id }) => id)).toEqual([2, 3]);
    expect(ask("default", "listGroups")?.groups).toHaveLength(6);
    expect(leftOut).toEqual([
      "The report is limited to about 32 MB. It does not include 2 faults, 1 request.",
    ]);
  });

  it("with 70 bodies of <, each of which is written as six characters, while others get a response", async () => {
    await using mock = startCli(["--port", "0", "--log", "silent"]);
    const url = await mock.ready;
    for (let n = 0; n < 70; n++) await create(url, "a", { properties: { text: "<".repeat(95_000) } });
    // A client may disconnect before it has the whole report.
    await (await fetch(`${url}/__admin/report.html`)).body?.cancel();
    let html = "";
    const slowest = await slowestCallDuring(url, mock.child.pid, async () => {
      html = await (await fetch(`${url}/__admin/report.html`)).text();
    });
    expect(Buffer.byteLength(html)).toBeLessThan(limit);
    expect(slowest).toBeLessThan(500);
    expect(mock.stderr()).toBe("");
    const { tests, leftOut } = readPage(html);
    const ids = tests.find(({ world }) => world === "default")?.journal.requests.map(({ id }) => id) ?? [];
    expect(ids.length).toBeGreaterThan(30);
    expect(ids.slice(-30)).toEqual(Array.from({ length: 30 }, (_, n) => n + 41));
    const missing = `It does not include ${70 - ids.length} requests.`;
    expect(leftOut).toEqual([`The report is limited to about 32 MB. ${missing}`]);
  });

  it("with the records of a mock that was killed, which take six times as much", async () => {
    const file = join(folder, "killed.html");
    const work = `const mock = await startMock({ journalSize: 10, bodyLimit: "1mb" });
      const { call } = hasty(mock.url, apiToken);
      const padding = "x".repeat(900_000);
      for (let n = 0; n < 50; n++) await call("GET", { user_group_id: "a", name: "A", properties: { n, padding } });
      process.kill(process.pid, "SIGKILL");`;
    const args = ["--max-old-space-size=150", bin, "exec", "--report", file, ...command(work)];
    await using exec = startNode(args);
    expect([await exec.exited, exec.stderr()]).toMatchObject([{ code: 137 }, expect.stringContaining(file)]);
    expect(statSync(file).size).toBeLessThan(limit);
    const { tests, leftOut } = readPage(readFileSync(file, "utf8"));
    const ids = tests[0]?.journal.requests.map(({ id }) => id) ?? [];
    expect(tests).toHaveLength(1);
    expect(ids.length).toBeGreaterThan(10);
    const counts = leftOut.map((text) => Number(/(\d+) requests/.exec(text)?.[1]));
    expect(leftOut).toEqual([
      expect.stringMatching(/ could not be recorded in \S+ \(a run keeps at most 32 MB of each kind\)\.$/),
      `The report is limited to about 32 MB. It does not include ${counts[1]} requests.`,
    ]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(50 - ids.length);
    expect(ids.at(-1)).toBe(50 - Number(counts[0]));
  });
});

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { call } from "../call.js";
import { startNode } from "../cli-process.js";
import { readPage } from "./read-report.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-report-memory-"));
afterAll(() => rmSync(folder, { recursive: true }));

const dropped = 400;
const dist = pathToFileURL(join(import.meta.dirname, "../../dist/esm/index.js")).href;

/** A mock with a large seed and many worlds that were dropped after a request. It saves a report before it stops. */
const program = (report: string) => `
  import { Agent, request } from "node:http";
  import { startMock } from ${JSON.stringify(dist)};
  const user_groups = Array.from({ length: 5_000 }, (_, n) => ({ team_id: 3, provided_id: "g" + n, name: "G " + n }));
  const fixtures = { teams: [{ team_id: 3, api_tokens: ["test-api-token"] }], user_groups };
  const mock = await startMock({ fixtures });
  const agent = new Agent({ keepAlive: true });
  const body = JSON.stringify({ user_group_id: "a", name: "A" });
  const headers = { Authorization: "Token test-api-token", "Content-Type": "application/json", "Content-Length": body.length };
  for (let n = 0; n < ${dropped}; n++) {
    const world = mock.world("w" + n);
    await new Promise((resolve) =>
      request(world.url + "/api/user", { method: "GET", headers, agent }, (res) => res.resume().on("end", resolve)).end(body));
    await world.drop();
  }
  agent.destroy();
  process.once("SIGTERM", async () => {
    await mock.saveReport({ path: ${JSON.stringify(report)}, worlds: "all" });
    await mock.stop();
  });
  console.log("usergroup-mock listening on " + mock.url);`;

/** Reads slowly: takes the next part of the response only after `between`. */
function readSlowly(url: string, between: () => Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    const req = request(url, { agent: false }, async (res) => {
      let text = "";
      res.setEncoding("utf8");
      for await (const part of res) {
        text += part;
        await between();
      }
      resolve(text);
    });
    req.on("error", reject).end();
  });
}

describe("a report of many dropped worlds with a large seed", () => {
  it("is written within a small heap, while other requests get a response", async () => {
    const file = join(folder, "report.html");
    await using running = startNode(["--max-old-space-size=400", "--input-type=module", "-e", program(file)]);
    const url = await running.ready;
    let responseCount = 0;
    const page = await readSlowly(`${url}/__admin/report.html?worlds=all`, async () => {
      if (responseCount < 20) expect((await call("GET", `${url}/__admin/health`)).status).toBe(200);
      responseCount++;
    });
    expect(responseCount).toBeGreaterThan(10);
    running.child.kill("SIGTERM");
    expect([await running.exited, running.stderr()]).toEqual([{ code: 0, signal: null }, ""]);
    const saved = readFileSync(file, "utf8");
    for (const { tests, ask, leftOut } of [readPage(page), readPage(saved)]) {
      expect(tests).toHaveLength(dropped + 1);
      expect(tests.filter(({ journal }) => journal.requests.length === 1)).toHaveLength(dropped);
      expect(ask("default", "listGroups")?.groups).toHaveLength(5_000);
      expect(leftOut).toEqual([]);
    }
    // The seed alone has more than 1 MB: only worlds that exist have groups.
    expect(saved.length).toBeLessThan(4_000_000);
  });
});

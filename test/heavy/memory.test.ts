import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { connectMock } from "../../src/client/connect-mock.js";
import { call, getOrCreate } from "../call.js";
import { bin, startCli, startNode } from "../cli-process.js";
import { exchange } from "../fake/server/raw-socket.js";
import { request } from "../fake/server/raw-table.js";
import { isLong, smoke } from "../long.js";
import { needsProc } from "../needs.js";

/** The peak memory of a process, in bytes. */
function peakOf(pid: number | undefined): number {
  return 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

describe("a compressed body that inflates to 200 MB", () => {
  it("takes no more memory than the limit", async (context) => {
    needsProc(context);
    await using cli = startCli(["--port", "0", "--log", "silent", "--body-limit", "1mb"]);
    const url = await cli.ready;
    const gzipped = gzipSync(Buffer.alloc(2_000_000, " "));
    const send = async (body: Buffer) => {
      const [response] = await exchange(url, [request({ more: ["Content-Encoding: gzip"], body })]);
      return response?.status;
    };
    // A gzip file may have many members.
    const bomb = Buffer.concat(Array(100).fill(gzipped));
    for (let n = 0; n < 5; n++) expect(await send(gzipped)).toBe(413);
    const before = peakOf(cli.child.pid);
    for (let n = 0; n < 3; n++) expect(await send(bomb)).toBe(413);
    expect(peakOf(cli.child.pid) - before).toBeLessThan(50_000_000);
  });
});

describe("a state with a million errors", () => {
  const repeated = JSON.stringify({ team_id: 3, provided_id: "a", name: "A" });

  const states: readonly [errors: string, state: () => string][] = [
    ["against its schema", () => `{"teams":[${"0,".repeat(900_000)}0]}`],
    ["repeated groups", () => `{"teams":[],"user_groups":[${`${repeated},`.repeat(200_000)}${repeated}]}`],
  ];
  it.for(smoke(states))("takes less than 350 MB: %s", async ([, state], context) => {
    needsProc(context);
    await using cli = startCli(["--port", "0", "--log", "silent"]);
    const url = await cli.ready;
    expect((await call("PUT", `${url}/__admin/state`, state())).status).toBe(400);
    expect(peakOf(cli.child.pid)).toBeLessThan(350_000_000);
  });
});

describe("400 requests of 900 kB beside a held request", () => {
  it("fit into a heap of 400 MB, and do not delay a stop", async () => {
    const serve = [bin, "--port", "0", "--log", "silent", "--body-limit", "1mb"];
    await using cli = startNode(["--max-old-space-size=400", ...serve]);
    const mock = await connectMock(await cli.ready);
    const agent = new Agent({ keepAlive: true });
    const large = JSON.stringify({
      user_group_id: "example_1",
      properties: { padding: "x".repeat(900_000) },
    });
    const send = () => getOrCreate(mock.url, large, { agent });
    const held = await mock.hold();
    const waiting = send();
    await held.arrived();
    for (let n = 0; n < 400; n += 4) {
      const responses = await Promise.all([send(), send(), send(), send()]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
    const { dropped } = await mock.requests({ after: 400 });
    expect(dropped).toBeGreaterThan(150);
    expect(await mock.requests({ outcome: "pending" })).toMatchObject([{ id: 1 }]);
    const stoppedAt = performance.now();
    cli.child.kill("SIGTERM");
    expect([(await waiting).status, (await cli.exited).code]).toEqual([503, 143]);
    expect(performance.now() - stoppedAt).toBeLessThan(1_000);
    agent.destroy();
  });
});

describe("requests whose JSON has 20,000 objects in 60 kB", () => {
  const objects = (count: number) => Array.from({ length: count }, () => ({}));
  const profile = join(mkdtempSync(join(tmpdir(), "usergroup-mock-memory-")), "profile.json");
  const body = { items: objects(20_000), id: "{user_group_id}" };
  writeFileSync(profile, JSON.stringify({ situations: { found: { body } } }));
  const found = JSON.stringify({ user_group_id: "example_1" });
  const updates = [20_000, 19_999].map((count) =>
    JSON.stringify({ user_group_id: "example_1", properties: { items: objects(count) } }),
  );

  const serve = [bin, "--port", "0", "--log", "silent"];
  // As objects, they would take twice the heap.
  const { heap, count } = isLong ? { heap: 400, count: 2_000 } : { heap: 130, count: 200 };

  it.each([
    ["in a response of the profile with a placeholder", ["--profile", profile], [found]],
    ["in the fields before and after an update", ["--assume", "existing-group=updated"], updates],
  ])(
    `fit into a heap of ${heap} MB, ${count} of them: %s`,
    { timeout: 600_000 },
    async (_, flags, bodies) => {
      await using cli = startNode([`--max-old-space-size=${heap}`, ...serve, ...flags]);
      const mock = await connectMock(await cli.ready);
      const agent = new Agent({ keepAlive: true });
      for (let n = 0; n < count; n++) {
        const { status } = await getOrCreate(mock.url, bodies[n % bodies.length] ?? "", { agent });
        expect(status).toBe(200);
      }
      const [last] = await mock.requests({ after: count - 1 });
      expect(last).toMatchObject({ id: count, outcome: "success" });
      agent.destroy();
    },
  );
});

import { once } from "node:events";
import { Agent } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/client/start-mock.js";
import type { Fixture } from "../../../src/generated/types.js";
import { create, getOrCreate } from "../../call.js";
import { exchange } from "../../fake/server/raw-socket.js";
import { request } from "../../fake/server/raw-table.js";
import { heapInUse } from "../../fake/world/heap-in-use.js";
import { rejectionOf } from "../../fake/world/rejection.js";
import { startWithin } from "../../fake/world/start-within.js";
import { draws } from "../../long.js";

/** A fixture with groups of about so many bytes each. */
const fixtureOf = (count: number, bytes: number): Fixture => ({
  teams: [{ team_id: 3, api_tokens: ["test-api-token"] }],
  user_groups: Array.from({ length: count }, (_, n) => ({
    team_id: 3,
    provided_id: `group-${n}`,
    name: `${n}`.padEnd(bytes, "x"),
  })),
});

const seeded = 2_000;
const worldCount = draws(400, 10_000);
const requestCount = draws(1_200, 100_000);
const journalSize = 500;

describe("the memory of", { timeout: 600_000 }, () => {
  it("many worlds has only what differs from the seed, and is freed when they are dropped", async () => {
    await using mock = await startMock({ fixtures: fixtureOf(seeded, 100) });
    await mock.world("warm-up").health();
    const before = heapInUse();
    for (let n = 1; n < worldCount; n++) {
      const world = mock.world(`world-${n}`);
      await world.assume({ "old-token": "accepted" });
      await world.fault({ status: 503 });
    }
    const perWorld = (heapInUse() - before) / worldCount;
    // A copy of the seed would take about 500 kB per world.
    expect(perWorld).toBeLessThan(8_000);
    expect((await mock.world(`world-${worldCount - 1}`).health()).groups).toBe(seeded);
    for (const { name } of await mock.worlds()) await mock.world(name).drop();
    expect(heapInUse() - before).toBeLessThan(2_000_000);
  });

  it("thousands of requests does not grow: the newest stay, the others are counted", async () => {
    await using mock = await startMock({ journalSize });
    const agent = new Agent({ keepAlive: true });
    // So large that the half of them would take three times as much as is allowed.
    const sent = {
      user_group_id: "example_1",
      name: "Renamed",
      properties: { padding: "x".repeat(10_000) },
      x: 1,
    };
    /** One request that finds a group and one that fails, in turn. */
    const flood = async (count: number) => {
      for (let n = 0; n < count; n += 20)
        await Promise.all(
          Array.from({ length: 20 }, (_, i) =>
            getOrCreate(mock.url, sent, { agent, apiToken: i % 2 === 0 ? "test-api-token" : "unheard-of" }),
          ),
        );
    };
    await flood(requestCount / 2);
    const halfway = heapInUse();
    await flood(requestCount / 2);
    agent.destroy();
    expect(heapInUse() - halfway).toBeLessThan(2_000_000);
    const journal = await mock.requests();
    expect(journal.dropped).toBe(requestCount - journalSize);
    expect(journal.map(({ id }) => id)).toEqual(
      Array.from({ length: journalSize }, (_, n) => requestCount - journalSize + n + 1),
    );
    expect(journal.filter(({ outcome }) => outcome === "success")).toHaveLength(journalSize / 2);
  });

  it.each<[what: string, one: (n: number) => Parameters<typeof request>[0]]>([
    ["many headers", (n) => ({ more: Array.from({ length: 1_500 }, (_, i) => `h${n}-${i}: x`) })],
    ["a letter of two bytes", () => ({ body: JSON.stringify({ a: `字${"x".repeat(90_000)}` }) })],
  ])("all journals is bounded by what is kept, not by what was sent: requests with %s", async (_, one) => {
    await using mock = await startWithin(2_500_000);
    await exchange(mock.url, [request(one(0))]);
    const before = heapInUse();
    for (let n = 1; n <= 75; n++) await exchange(mock.url, [request(one(n))]);
    expect(heapInUse() - before).toBeLessThan(4_000_000);
    expect((await mock.requests()).dropped).toBeGreaterThan(25);
  });

  it("the history has the journals of past epochs, but neither groups nor faults", async () => {
    await using mock = await startMock();
    const fixture = fixtureOf(5_000, 200);
    const live = async (label: string) => {
      await mock.load(fixture);
      await mock.fault({ status: 503, text: `${label} ${"x".repeat(1_000_000)}`, skip: 1 });
      await create(mock.url, "a");
      await mock.reset({ label });
    };
    await live("warm-up");
    const before = heapInUse();
    for (let n = 1; n <= 5; n++) await live(`test ${n}`);
    expect(heapInUse() - before).toBeLessThan(4_000_000);
    expect(await mock.history()).toHaveLength(6);
  });

  it("a wait has no requests that the journal has dropped", async () => {
    await using mock = await startMock({ journalSize: 10 });
    const waiting = rejectionOf(mock.waitForRequest({ count: 10, match: { name: "n" }, timeoutMs: 600_000 }));
    const properties = { padding: "x".repeat(90_000) };
    const sendOften = async (count: number) => {
      for (let n = 0; n < count; n++) {
        await getOrCreate(mock.url, { user_group_id: "a", name: "n", properties });
        // The wait would resolve with ten of them in the journal.
        for (let m = 0; m < 2; m++) await getOrCreate(mock.url, { user_group_id: "a", name: "other" });
      }
    };
    await sendOften(10);
    const before = heapInUse();
    await sendOften(60);
    expect(heapInUse() - before).toBeLessThan(4_000_000);
    await mock.reset();
    expect((await waiting).code).toBe("aborted");
  });

  it("an idle keep-alive connection has nothing of its last request", async () => {
    await using mock = await startMock();
    const body = JSON.stringify(fixtureOf(100, 99_000));
    const inUse = () => heapInUse() + process.memoryUsage().arrayBuffers;
    const { hostname, port } = new URL(mock.url);
    const socket = connect(Number(port), hostname);
    const head = ["PUT /__admin/state HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"];
    const before = inUse();
    socket.write([...head, `Content-Length: ${Buffer.byteLength(body)}`, "", body].join("\r\n"));
    expect(String((await once(socket, "data"))[0])).toContain("200 OK");
    await mock.reset();
    // 10 MB were loaded, and removed by the reset. On a busy machine, buffers are freed a little later.
    await expect.poll(() => inUse() - before).toBeLessThan(5_000_000);
    socket.destroy();
  });
});

import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/client/start-mock.js";
import { call, getOrCreate } from "../../call.js";
import { draws } from "../../long.js";
import { heapInUse } from "../heap-in-use.js";

const requestCount = draws(4_000, 1_000_000);
const connections = 10;
const batch = 50;

/** One request of each kind in turn: one that finds a group, and one that fails. */
const kinds = [
  { token: "test-api-token", body: JSON.stringify({ user_group_id: "example_1", name: "Renamed", x: 1 }) },
  { token: "unheard-of", body: JSON.stringify({ user_group_id: "example_1" }) },
].map(
  ({ token, body }) =>
    `GET /api/user HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Token ${token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
);

/** Writes many requests at once and resolves after the last response. Costs less than an HTTP client. */
function exchange(socket: Socket, count: number): Promise<void> {
  const began = "HTTP/1.1 ";
  return new Promise((resolve, reject) => {
    let [responses, unread] = [0, ""];
    const read = (bytes: Buffer) => {
      unread += bytes.toString("latin1");
      const parts = unread.split(began);
      responses += parts.length - 1;
      unread = (parts.at(-1) ?? "").slice(-began.length);
      if (responses < count || !unread.endsWith("}")) return;
      socket.off("data", read).off("error", reject);
      resolve();
    };
    socket.on("data", read).once("error", reject);
    socket.write(Array.from({ length: count }, (_, n) => kinds[n % kinds.length]).join(""));
  });
}

async function flood(url: string, count: number): Promise<void> {
  const { hostname, port } = new URL(url);
  const floodOne = async () => {
    const socket = connect(Number(port), hostname);
    for (let sent = 0; sent < count / connections; sent += batch) await exchange(socket, batch);
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, floodOne));
}

describe("thousands of requests", () => {
  it("leave the newest 1,000 in the journal, count the others, and do not increase memory", {
    timeout: 60_000 + requestCount,
  }, async () => {
    await using mock = await startMock();
    await flood(mock.url, requestCount / 2);
    const halfway = heapInUse();
    await flood(mock.url, requestCount / 2);
    expect(heapInUse() - halfway).toBeLessThan(3_000_000);
    const { requests, total, dropped } = (await call("GET", `${mock.url}/__admin/requests`)).body;
    expect([requests.length, total, dropped]).toEqual([1_000, 1_000, requestCount - 1_000]);
    const journal = await mock.requests();
    expect(journal.map(({ id }) => id)).toEqual(
      Array.from({ length: 1_000 }, (_, n) => requestCount - 1_000 + n + 1),
    );
    expect(journal.filter(({ outcome }) => outcome === "success")).toHaveLength(500);
    expect((await mock.health()).groups).toBe(5);
    expect((await getOrCreate(mock.url, { user_group_id: "new", name: "New" })).status).toBe(200);
  });
});

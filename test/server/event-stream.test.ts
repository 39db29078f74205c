import { Agent, request } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { openEvents } from "../world/event-stream.js";

// test/world/events.test.ts has what is sent.
it("an event stream ends, and is not cut off, when the mock is stopped", async () => {
  const mock = await startMock();
  const stream = await openEvents(mock.url);
  await mock.stop();
  expect(await stream.ended).toBe("whole");
});

describe("an event stream that is not read", () => {
  it("is closed before unread events fill the memory", async () => {
    await using mock = await startMock();
    const world = mock.world("flooded");
    const { hostname, port, pathname } = new URL(world.url);
    const socket = connect(Number(port), hostname).pause();
    socket.write(`GET ${pathname}/__admin/events HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    const [watching, agent] = [await openEvents(world.url), new Agent({ keepAlive: true, maxSockets: 4 })];
    const padding = "x".repeat(95_000);
    const body = JSON.stringify({ user_group_id: "a", name: "a", properties: { padding } });
    const flood = () =>
      new Promise<void>((resolve, reject) => {
        const headers = {
          Authorization: "Token test-api-token",
          "Content-Type": "application/json",
          "Content-Length": body.length,
        };
        const req = request(`${world.url}/api/user`, { agent, headers }, (res) => {
          res.resume().on("end", resolve);
        });
        req.on("error", reject).end(body);
      });
    const requestCount = 200;
    for (let n = 0; n < requestCount; n += 10) await Promise.all(Array.from({ length: 10 }, flood));
    agent.destroy();
    // A stream that is read has all events.
    const received = [];
    for (let n = 0; n < requestCount; n++) received.push(await watching.next());
    expect(received).toContainEqual({
      event: "request",
      data: expect.objectContaining({ id: requestCount }),
    });
    await mock.world("flooded").drop();
    let bytesReceived = 0;
    socket.on("data", (bytes) => {
      bytesReceived += bytes.length;
    });
    socket.on("error", () => {});
    socket.resume();
    await new Promise((resolve) => socket.once("close", resolve));
    expect(bytesReceived).toBeGreaterThan(100_000);
    expect(bytesReceived).toBeLessThan(0.8 * requestCount * body.length);
  });
});

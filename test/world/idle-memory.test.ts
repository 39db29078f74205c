import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { heapInUse } from "./heap-in-use.js";

describe("an idle keep-alive connection", () => {
  it("keeps nothing of its last request in memory", async () => {
    await using mock = await startMock();
    const user_groups = Array.from({ length: 100 }, (_, n) => ({
      team_id: 1,
      provided_id: `${n}`,
      name: `${n}`.padEnd(99_000, "x"),
    }));
    const body = JSON.stringify({ teams: [{ team_id: 1, api_tokens: ["t"] }], user_groups });
    user_groups.length = 0;
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

import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { exchange } from "../../src/foundation/exchange.js";

let server: Server;
afterEach(() => server.close());

async function ask(started: Server, timeoutMs = 30_000) {
  server = started;
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return exchange(url, { method: "GET", headers: {}, timeoutMs });
}

it("an exchange rejects after its time, even if the server sends a byte now and then", async () => {
  const endless = createServer((_req, res) => {
    const writing = setInterval(() => res.write(" "), 5);
    res.on("close", () => clearInterval(writing));
  });
  await expect(ask(endless, 100)).rejects.toThrow("no complete response within 1 s");
});

describe("an exchange says what came instead of a response:", () => {
  it.each([
    [
      "an upgrade",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
      /has the status 101/,
    ],
    ["a status 101 without Upgrade", "HTTP/1.1 101 Switching Protocols\r\n\r\n", /has the status 101/],
    ["no byte", "", /^the connection was closed without a response$/],
    ["bytes that are not HTTP", "\u0000SSH-2.0-x\r\n", /^the response is not valid HTTP \(Parse Error/],
    ["half a head", "HTTP/1.1 200 OK\r\nConte", /^the connection was closed without a response$/],
    [
      "half a body",
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
      /^the connection was closed in the middle of the response$/,
    ],
  ])("%s", async (_, bytes, message) => {
    const raw = createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(bytes));
    });
    await expect(ask(raw)).rejects.toThrow(message);
  });
});

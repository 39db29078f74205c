import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, vi } from "vitest";
import { patience } from "../patience.js";

const node = process.execPath;

/** Sends a request without waiting for it: without any request, explore finds nothing. */
export const knock = `require("node:http").get(process.env.USERGROUP_MOCK_URL + "/api/user", (res) => res.resume());`;

/** A server to which runs of a command connect. Each run ends when the test releases it. */
export async function checkpoint() {
  const present = new Set<Socket>();
  let arrivals = 0;
  const server = createServer((socket) => {
    arrivals++;
    present.add(socket);
    socket.on("close", () => present.delete(socket)).on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    present,
    /** A JavaScript expression for the connection, which keeps its process alive until the server closes it. */
    connection: `require("node:net").connect(${port}, "127.0.0.1").resume()`,
    arrived: () => arrivals,
    /** A command that connects, and exits with 0 when it is released. */
    command: ["--", node, "-e", `${knock}require("node:net").connect(${port}, "127.0.0.1").resume()`],
    /** A command that connects, with a child process that connects too. */
    family: [
      "--",
      node,
      "-e",
      `require("node:net").connect(${port}, "127.0.0.1").resume();
       const args = ["-e", 'require("node:net").connect(${port}, "127.0.0.1").resume()'];
       require("node:child_process").spawn(process.execPath, args);`,
    ],
    until: (count: number) => vi.waitFor(() => expect(present.size).toBe(count), patience),
    release: () => {
      for (const socket of present) socket.end();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of present) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

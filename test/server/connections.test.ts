import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { Connections } from "../../src/server/connections.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

it("an idle connection keeps nothing of its last response in memory", async () => {
  const responses: WeakRef<ServerResponse>[] = [];
  const server = createServer();
  const connections = new Connections(server, (_req, res) => {
    responses.push(new WeakRef(res));
    res.end("done");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const [response] = (await once(get({ port, agent }), "response")) as [IncomingMessage];
  await once(response.resume(), "end");
  await expect
    .poll(() => {
      collectGarbage();
      return responses.map((found) => found.deref());
    })
    .toEqual([undefined]);
  expect(Object.keys(agent.freeSockets)).toHaveLength(1);
  agent.destroy();
  await connections.stop();
});

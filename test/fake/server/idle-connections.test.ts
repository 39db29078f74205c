import { once } from "node:events";
import { Agent, get, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { listen } from "../../../src/fake/server/listen.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

it("an idle connection keeps nothing of its last response in memory", async () => {
  const responses: WeakRef<ServerResponse>[] = [];
  const handle: RequestListener = (_req, res) => {
    responses.push(new WeakRef(res));
    res.end("done");
  };
  const { url, stop } = await listen(handle, { host: "127.0.0.1", port: 0, tls: undefined });
  const agent = new Agent({ keepAlive: true });
  const [response] = (await once(get(url, { agent }), "response")) as [IncomingMessage];
  await once(response.resume(), "end");
  await expect
    .poll(() => {
      collectGarbage();
      return responses.map((found) => found.deref());
    })
    .toEqual([undefined]);
  expect(Object.keys(agent.freeSockets)).toHaveLength(1);
  agent.destroy();
  await stop();
});

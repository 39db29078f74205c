// A client in its own thread and world, which measures how long it waits for the server. On a message it reports its
// slowest request, in milliseconds.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

const { url, pid } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const body = '{"user_group_id":"example_1"}';
const headers = {
  Authorization: "Token test-api-token",
  "Content-Type": "application/json",
  "Content-Length": body.length,
};

/** @returns {Promise<{ id: number, token: unknown }>} the id in the journal, and the token of the group */
function call() {
  return new Promise((resolve, reject) => {
    const req = request(
      `${url}/worlds/bystander/api/user`,
      { method: "GET", agent, headers },
      async (res) => {
        try {
          const text = Buffer.concat(await res.toArray()).toString();
          if (res.statusCode !== 200) throw new Error(`the bystander got ${res.statusCode}: ${text}`);
          const id = Number(res.headers["usergroup-mock-request"]);
          resolve({ id, token: JSON.parse(text).user_group.token });
        } catch (error) {
          reject(error);
        }
      },
    );
    req.on("error", reject).end(body);
  });
}

/**
 * How long the main thread of the server has computed so far, in milliseconds. A server that computed for less time
 * than a request took had no processor: the machine was busy with something else. Undefined without /proc.
 */
function computedMs() {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8");
    // Fields 14 and 15, in hundredths of a second. The name of the program, in brackets, may hold spaces.
    const [user, system] = stat
      .replace(/^.*\) /s, "")
      .split(" ")
      .slice(11, 13);
    return (Number(user) + Number(system)) * 10;
  } catch {
    return undefined;
  }
}

const { token } = await call();
let last = 0;
let slowest = 0;
let isAsked = false;
parentPort?.on("message", () => {
  isAsked = true;
});
parentPort?.postMessage("ready");
for (;;) {
  const [began, computed] = [performance.now(), computedMs()];
  const response = await call();
  const took = performance.now() - began;
  slowest = Math.max(slowest, computed === undefined ? took : Math.min(took, (computedMs() ?? 0) - computed));
  // No other client uses this world.
  if (last !== 0 && response.id !== last + 1)
    throw new Error(
      `the bystander's request ${response.id} came after ${last}: another world changed its own`,
    );
  if (response.token !== token) throw new Error("the bystander's group got another token");
  last = response.id;
  if (isAsked) parentPort?.postMessage(slowest);
  await setTimeout(2);
}

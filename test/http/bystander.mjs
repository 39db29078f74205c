// An innocent caller in a thread of its own, in a world of its own: how long does it have to wait? On every message it
// reports its slowest call since the last report.
import { Agent, request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

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
    const url = `${workerData}/worlds/bystander/api/user`;
    const req = request(url, { method: "GET", agent, headers }, async (res) => {
      try {
        const text = Buffer.concat(await res.toArray()).toString();
        if (res.statusCode !== 200) throw new Error(`the bystander got ${res.statusCode}: ${text}`);
        const id = Number(res.headers["usergroup-mock-request"]);
        resolve({ id, token: JSON.parse(text).user_group.token });
      } catch (error) {
        reject(error);
      }
    });
    req.on("error", reject).end(body);
  });
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
  const began = performance.now();
  const answer = await call();
  slowest = Math.max(slowest, performance.now() - began);
  // Nobody else calls in this world. Who drops all worlds makes its journal begin anew.
  if (last !== 0 && answer.id !== last + 1 && answer.id !== 1)
    throw new Error(`the bystander's call ${answer.id} came after ${last}: another world touched its own`);
  if (answer.token !== token) throw new Error("the bystander's group got another token");
  last = answer.id;
  if (isAsked) {
    isAsked = false;
    parentPort?.postMessage(slowest);
    slowest = 0;
  }
  await setTimeout(2);
}

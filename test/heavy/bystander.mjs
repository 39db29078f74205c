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

/** @returns {Promise<void>} once the whole response has arrived */
function call() {
  return new Promise((resolve, reject) => {
    const path = `${url}/worlds/bystander/api/user`;
    const req = request(path, { method: "GET", agent, headers }, (res) => {
      res.resume().on("end", resolve).on("error", reject);
      if (res.statusCode !== 200) reject(new Error(`the bystander got ${res.statusCode}`));
    });
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

await call();
let slowest = 0;
let isAsked = false;
parentPort?.on("message", () => {
  isAsked = true;
});
parentPort?.postMessage("ready");
for (;;) {
  const [began, computed] = [performance.now(), computedMs()];
  await call();
  const took = performance.now() - began;
  slowest = Math.max(slowest, computed === undefined ? took : Math.min(took, (computedMs() ?? 0) - computed));
  if (isAsked) parentPort?.postMessage(slowest);
  await setTimeout(2);
}

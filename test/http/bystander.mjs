// An innocent caller in a thread of its own: how long does it have to wait? Ends when told so.
import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const body = '{"user_group_id":"example_1"}';
const headers = {
  Authorization: "Token test-api-token",
  "Content-Type": "application/json",
  "Content-Length": body.length,
};
let slowest = 0;
let isOver = false;
parentPort?.once("message", () => {
  isOver = true;
});
while (!isOver) {
  const began = performance.now();
  await new Promise((resolve, reject) => {
    const req = request(
      `${workerData}/worlds/bystander/api/user`,
      { method: "GET", agent, headers },
      (res) => {
        res.resume().on("end", () => (res.statusCode === 200 ? resolve(undefined) : reject(res.statusCode)));
      },
    );
    req.on("error", reject).end(body);
  });
  slowest = Math.max(slowest, performance.now() - began);
  if (began > 0) parentPort?.postMessage("called");
  await new Promise((resolve) => setTimeout(resolve, 2));
}
agent.destroy();
parentPort?.postMessage(slowest);

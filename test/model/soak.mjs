// `node test/model/soak.mjs`: mixed load for SOAK_SECONDS (600 by default) on a mock in a process of its own. Requests,
// faults, resets, worlds that are created and dropped. Exits with 1 if a response was unexpected, or if the
// memory or the handles of the mock grew.
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureBuilt } from "../../src/build/ensure-built.mjs";

const seconds = Number(process.env.SOAK_SECONDS ?? 600);
const clients = 16;
const fixtureGroups = 5;

ensureBuilt();
/** The mock. Its process reports its memory after a garbage collection. */
const child = fork(new URL("soak-server.mjs", import.meta.url), { execArgv: ["--expose-gc"] });
/** @type {[{ url: string }, unknown]} */
const [{ url }] = await /** @type {Promise<[{ url: string }, unknown]>} */ (once(child, "message"));
const agent = new Agent({ keepAlive: true, maxSockets: clients });

/** @type {{ at: number, rss: number, heap: number, handles: number }[]} */
const samples = [];
/** @type {string[]} */
const unexpected = [];
let requests = 0;
let broken = 0;

/**
 * The parts of response bodies that are checked.
 * @typedef {{ new_user_group?: boolean, user_group?: { token: string }, id?: number, groups?: number,
 *   faults?: { fired: number }[] }} ResponseBody
 */

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<{ status: number, body: ResponseBody | undefined }>} status 0: the connection broke
 */
function call(method, path, body) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = {
    Authorization: "Token test-api-token",
    ...(body !== undefined && {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(text),
    }),
  };
  requests++;
  return new Promise((resolve) => {
    const lost = () => resolve({ status: 0, body: undefined });
    const req = request(`${url}${path}`, { method, headers, agent }, (res) => {
      let received = "";
      res.setEncoding("utf8").on("data", (part) => {
        received += part;
      });
      res.on("error", lost);
      res.on("end", () => resolve({ status: res.statusCode ?? 0, body: parse(received) }));
    });
    req.on("error", lost);
    req.end(text);
  });
}

/** @param {string} text @returns {ResponseBody | undefined} */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {boolean} isExpected @param {string} what @param {unknown} response */
function check(isExpected, what, response) {
  if (!isExpected && unexpected.length < 20)
    unexpected.push(`${what}: ${JSON.stringify(response)?.slice(0, 300)}`);
}

const faults = [
  { status: 503 },
  { status: 429, body: { slow: "down" } },
  { delayMs: 5 },
  { reset: true },
  { empty: true },
  { truncate: true },
  { malformed: true },
];

/** Uses a world of this client from its creation to a reset. @param {number} client @param {number} round */
async function live(client, round) {
  const world = `/worlds/soak-${client}-${round % 10}`;
  /** @param {string} method @param {string} path @param {unknown} [body] */
  const admin = async (method, path, body) => {
    const response = await call(method, `${world}/__admin${path}`, body);
    check(response.status === 200, `${method} ${path}`, response);
    return response.body ?? {};
  };
  let token = "";
  for (let n = 0; n < 20; n++) {
    const created = await call("GET", `${world}/api/user`, {
      user_group_id: `group-${n}`,
      name: "Soak",
      properties: { padding: "x".repeat((n * 97) % 2_000) },
    });
    check(created.status === 200 && created.body?.new_user_group === true, "create", created);
    token = created.body?.user_group?.token ?? "";
  }
  for (let n = 0; n < 5; n++) {
    const rotated = await call("POST", `${world}/api/user`, { current_token: token });
    check(rotated.status === 200, "rotate", rotated);
    const again = await call("POST", `${world}/api/user`, { current_token: token });
    check(again.status === 404, "rotate again", again);
    token = rotated.body?.user_group?.token ?? "";
  }
  const fault = faults[round % faults.length] ?? { status: 503 };
  const phase = round % 3 === 0 ? "after" : "before";
  await admin("POST", "/faults", { ...fault, phase, match: { user_group_id: "faulty" } });
  const faulty = await call("GET", `${world}/api/user`, { user_group_id: "faulty", name: "Faulty" });
  const isExpected = "status" in fault ? faulty.status === fault.status : [0, 200].includes(faulty.status);
  check(isExpected, `with ${JSON.stringify(fault)}`, faulty);
  if (faulty.status === 0) broken++;
  const { faults: armed } = await admin("GET", "/faults");
  check(armed?.[0]?.fired === 1, "the fault", armed);
  await admin("GET", "/requests?limit=5");
  await admin("PATCH", "/assumptions", { "old-token": "accepted" });
  await admin("POST", "/reset");
  const { groups } = await admin("GET", "/health");
  check(groups === fixtureGroups, "groups after a reset", groups);
  if (round % 3 === 0) {
    const dropped = await call("DELETE", `/__admin/worlds/${world.split("/").at(-1)}`);
    check(dropped.status === 200, "drop", dropped);
  }
}

async function sample() {
  child.send("sample");
  const [sampled] = await once(child, "message");
  samples.push({ at: performance.now(), ...sampled });
}

const end = performance.now() + seconds * 1_000;
const load = Array.from({ length: clients }, async (_, client) => {
  for (let round = 0; performance.now() < end; round++) await live(client, round);
});
// The first tenth is warm-up.
await sleep(seconds * 100);
while (performance.now() < end) {
  await sample();
  await sleep(Math.max(500, seconds * 10));
}
await Promise.all(load);
agent.destroy();

/** @param {number[]} numbers */
const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const third = Math.floor(samples.length / 3);
/** @param {"rss" | "heap" | "handles"} what */
const grew = (what) => {
  const first = median(samples.slice(0, third).map((one) => one[what]));
  const last = median(samples.slice(-third).map((one) => one[what]));
  return { what, first, last, growth: last - first };
};
const [heap, rss, handles] = [grew("heap"), grew("rss"), grew("handles")];
const exited = once(child, "exit");
child.send("stop");
const [code] = await exited;

const mb = (/** @type {number} */ bytes) => `${Math.round(bytes / 1e5) / 10} MB`;
console.log(
  `${requests} requests in ${seconds} s, ${broken} connections broken by faults, ${samples.length} samples`,
);
console.log(`heap ${mb(heap.first)} → ${mb(heap.last)}, rss ${mb(rss.first)} → ${mb(rss.last)}`);
console.log(`handles ${handles.first} → ${handles.last}; the mock exited with ${code}`);
const failures = [
  ...unexpected.map((what) => `unexpected: ${what}`),
  ...(samples.length < 9 ? ["too few samples: increase SOAK_SECONDS"] : []),
  ...(heap.growth > 5e6 + heap.first * 0.1 ? ["the heap grew"] : []),
  ...(rss.growth > 30e6 + rss.first * 0.15 ? ["the memory of the process grew"] : []),
  ...(handles.growth > clients ? ["the handles grew"] : []),
  ...(code === 0 ? [] : ["the mock did not exit with 0"]),
];
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;

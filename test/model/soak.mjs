// Mixed load for SOAK_SECONDS (ten minutes unless said) on a mock in a process of its own: calls, faults, resets,
// snapshots, and worlds that come and go. Ends with 1 when an answer came that was not asked for, or when the memory
// or the handles of the mock grew.
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const seconds = Number(process.env.SOAK_SECONDS ?? 600);
const clients = 16;
const fixtureGroups = 5;

/** The mock, and what its process tells of itself after a collection. */
const child = fork(new URL("soak-server.mjs", import.meta.url), { execArgv: ["--expose-gc"] });
/** @type {[{ url: string }, unknown]} */
const [{ url }] = await /** @type {Promise<[{ url: string }, unknown]>} */ (once(child, "message"));
const agent = new Agent({ keepAlive: true, maxSockets: clients });

/** @type {{ at: number, rss: number, heap: number, handles: number }[]} */
const samples = [];
/** @type {string[]} */
const unasked = [];
let calls = 0;
let broken = 0;

/**
 * What is looked at in answers.
 * @typedef {{ new_user_group?: boolean, user_group?: { token: string }, id?: number, groups?: number,
 *   faults?: { fired: number }[] }} Told
 */

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<{ status: number, body: Told | undefined }>} status 0: the connection broke
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
  calls++;
  return new Promise((resolve) => {
    const lost = () => resolve({ status: 0, body: undefined });
    const req = request(`${url}${path}`, { method, headers, agent }, (res) => {
      let answer = "";
      res.setEncoding("utf8").on("data", (part) => {
        answer += part;
      });
      res.on("error", lost);
      res.on("end", () => resolve({ status: res.statusCode ?? 0, body: parse(answer) }));
    });
    req.on("error", lost);
    req.end(text);
  });
}

/** @param {string} text @returns {Told | undefined} */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {boolean} asked @param {string} what @param {unknown} answer */
function expectAsked(asked, what, answer) {
  if (!asked && unasked.length < 20) unasked.push(`${what}: ${JSON.stringify(answer)?.slice(0, 300)}`);
}

const effects = [
  { status: 503 },
  { status: 429, body: { slow: "down" } },
  { delayMs: 5 },
  { reset: true },
  { empty: true },
  { truncate: true },
  { malformed: true },
  { dribble: true, delayMs: 10 },
];

/** One life of a world that this client alone uses. @param {number} client @param {number} round */
async function live(client, round) {
  const world = `/worlds/soak-${client}-${round % 10}`;
  /** @param {string} method @param {string} path @param {unknown} [body] */
  const admin = async (method, path, body) => {
    const answer = await call(method, `${world}/__admin${path}`, body);
    expectAsked(answer.status === 200, `${method} ${path}`, answer);
    return answer.body ?? {};
  };
  let token = "";
  for (let n = 0; n < 20; n++) {
    const created = await call("GET", `${world}/api/user`, {
      user_group_id: `group-${n}`,
      name: "Soak",
      properties: { padding: "x".repeat((n * 97) % 2_000) },
    });
    expectAsked(created.status === 200 && created.body?.new_user_group === true, "create", created);
    token = created.body?.user_group?.token ?? "";
  }
  for (let n = 0; n < 5; n++) {
    const rotated = await call("POST", `${world}/api/user`, { current_token: token });
    expectAsked(rotated.status === 200, "rotate", rotated);
    const again = await call("POST", `${world}/api/user`, { current_token: token });
    expectAsked(again.status === 404, "rotate again", again);
    token = rotated.body?.user_group?.token ?? "";
  }
  const effect = effects[round % effects.length] ?? { status: 503 };
  const phase = round % 3 === 0 ? "after" : "before";
  const { id } = await admin("POST", "/snapshots");
  await admin("POST", "/faults", { ...effect, phase, match: { user_group_id: "faulty" } });
  const faulty = await call("GET", `${world}/api/user`, { user_group_id: "faulty", name: "Faulty" });
  const asked = "status" in effect ? faulty.status === effect.status : [0, 200].includes(faulty.status);
  expectAsked(asked, `under ${JSON.stringify(effect)}`, faulty);
  if (faulty.status === 0) broken++;
  const { faults } = await admin("GET", "/faults");
  expectAsked(faults?.[0]?.fired === 1, "the fault", faults);
  await admin("POST", `/snapshots/${id}/restore`);
  await admin("DELETE", `/snapshots/${id}`);
  await admin("GET", "/requests?limit=5");
  await admin("PATCH", "/assumptions", { "old-token": "accepted" });
  await admin("POST", "/reset");
  const { groups } = await admin("GET", "/health");
  expectAsked(groups === fixtureGroups, "groups after a reset", groups);
  if (round % 3 === 0) {
    const dropped = await call("DELETE", `/__admin/worlds/${world.split("/").at(-1)}`);
    expectAsked(dropped.status === 200, "drop", dropped);
  }
}

async function sample() {
  child.send("sample");
  const [told] = await once(child, "message");
  samples.push({ at: performance.now(), ...told });
}

const end = performance.now() + seconds * 1_000;
const load = Array.from({ length: clients }, async (_, client) => {
  for (let round = 0; performance.now() < end; round++) await live(client, round);
});
// The first tenth warms up: code is compiled, pools fill.
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
  `${calls} calls in ${seconds} s, ${broken} connections broken as asked, ${samples.length} samples`,
);
console.log(`heap ${mb(heap.first)} → ${mb(heap.last)}, rss ${mb(rss.first)} → ${mb(rss.last)}`);
console.log(`handles ${handles.first} → ${handles.last}; the mock ended with ${code}`);
const failures = [
  ...unasked.map((what) => `not asked for: ${what}`),
  ...(samples.length < 9 ? ["too few samples to tell: take more SOAK_SECONDS"] : []),
  ...(heap.growth > 5e6 + heap.first * 0.1 ? ["the heap grew"] : []),
  ...(rss.growth > 30e6 + rss.first * 0.15 ? ["the memory of the process grew"] : []),
  ...(handles.growth > clients ? ["the handles grew"] : []),
  ...(code === 0 ? [] : ["the mock did not end by itself"]),
];
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;

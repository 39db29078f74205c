// What verify does with services that are slow, odd, broken or hostile: `node test/heavy/strangers.mjs [name …]`.
// Prints a table: for each service how long verify takes, what it sends and creates, its exit code, whether it wrote a
// profile, whether the API token is in what it wrote or printed, and its last line.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, execPath } from "node:process";
import { text } from "node:stream/consumers";
import { ensureBuilt, root } from "../../src/build/ensure-built.mjs";

const apiToken = "first/team+token=='a'&b-4711";

/**
 * What a service does instead of a plain one. `before` may respond itself, and returns whether it has; `after` changes a
 * response; `token` makes a token.
 * @typedef {{ before?: (res: import("node:http").ServerResponse, json: any, n: number) => boolean,
 *   after?: (sent: Sent, json: any, n: number) => Sent, token?: () => string, pauseMs?: number,
 *   interruptAt?: number, signal?: NodeJS.Signals, runs?: number, idOf?: (id: unknown) => string }} Oddity
 * @typedef {{ status: number, body: any }} Sent
 */

/** @param {string} body */
const rejectionsWith = (body) => ({
  /** @param {Sent} sent @returns {Sent} */
  after: (sent) => (sent.status < 400 ? sent : { status: 400, body: { success: 0, message: body } }),
});
/** @param {(res: import("node:http").ServerResponse) => unknown} respond @returns {Oddity} */
const oddly = (respond) => ({
  before: (res, json) => {
    if (typeof json.name !== "number" && json.current_token !== "wrong") return false;
    respond(res);
    return true;
  },
});
const late = { status: 504, body: "late" };
const levels = 3_000;
const base64 = Buffer.from(apiToken).toString("base64");
const entities = apiToken.replace(/[^\w]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`);
const escaped = apiToken.replace(
  /[^\w]/g,
  (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
);

/** @type {Readonly<Record<string, Oddity>>} */
const services = {
  "a plain one": {},
  "needs 50 ms for each response": { pauseMs: 50 },
  "creates a group and then says 504, every time": {
    after: (sent, json) => (json.user_group_id ? late : sent),
  },
  "says 504 to everything after the fourth": { after: (sent, _, n) => (n > 4 ? late : sent) },
  "says 429 for ever": { after: (sent, _, n) => (n > 4 ? { status: 429, body: "slow down" } : sent) },
  "3,000 levels of JSON": oddly((res) => res.writeHead(400).end("[".repeat(levels) + "]".repeat(levels))),
  "status 600": oddly((res) => res.writeHead(600).end("{}")),
  "status 999": oddly((res) => res.writeHead(999).end("{}")),
  "40 MB in rejections": oddly((res) => res.writeHead(400).end(Buffer.alloc(40_000_000, " "))),
  "an endless body": oddly((res) => {
    const timer = setInterval(() => res.write(" "), 5);
    res.on("close", () => clearInterval(timer));
  }),
  "no body": oddly((res) => res.writeHead(400).end()),
  "shorter than announced": oddly((res) =>
    res.writeHead(400, { "Content-Length": 9 }).write("{}", () => res.destroy()),
  ),
  "$& and $' in tokens": { token: () => `$&$'${randomBytes(8).toString("hex")}` },
  "tokens of 30 kB": { token: () => randomBytes(15_000).toString("hex") },
  "100 kB of a-": rejectionsWith("a-".repeat(50_000)),
  "100 kB of digits": rejectionsWith("1".repeat(100_000)),
  "100 kB of braces": rejectionsWith("{".repeat(100_000)),
  "100 kB of quotes": rejectionsWith('"'.repeat(100_000)),
  "the API token, plain": rejectionsWith(`no ${apiToken}`),
  "the API token, JSON escapes": rejectionsWith(`no ${escaped}`),
  "the API token, percent": rejectionsWith(`no ${encodeURIComponent(apiToken)}`),
  "the API token, HTML entities": rejectionsWith(`no ${entities}`),
  "the API token, base64": rejectionsWith(`no ${base64}`),
  "makes texts of ids as PHP, two runs": {
    idOf: (id) => (typeof id === "object" ? "Array" : `${id}`),
    runs: 2,
  },
  "SIGINT at the 20th request": { interruptAt: 20, signal: "SIGINT" },
  "SIGTERM at the 60th request": { interruptAt: 60, signal: "SIGTERM" },
};

ensureBuilt();
const names = argv.length > 2 ? argv.slice(2) : Object.keys(services);
console.log("| the service | seconds | requests | groups | exit code | profile | token shown | last line |");
console.log("|---|---|---|---|---|---|---|---|");
for (const name of names) {
  const oddity = services[name];
  if (oddity === undefined) throw new Error(`There is no service ${name}.`);
  console.log(`| ${(await tryOne(name, oddity)).join(" | ")} |`);
}

/** @param {string} name @param {Oddity} oddity */
async function tryOne(name, oddity) {
  const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-strangers-"));
  const out = join(folder, "profile.json");
  const counted = { requests: 0, groups: 0 };
  let interrupt = () => {};
  const server = createServer(serve(oddity, counted, () => interrupt()));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const args = [
    "verify",
    "--against",
    `http://127.0.0.1:${port}`,
    "--api-token",
    apiToken,
    "--yes",
    "--out",
    out,
  ];
  const before = performance.now();
  let [shown, last] = ["", ""];
  let code = 0;
  for (let run = 0; run < (oddity.runs ?? 1); run++) {
    const verify = spawn(execPath, [join(root, "dist/cjs/bin.js"), ...args]);
    interrupt = () => verify.kill(oddity.signal);
    const output = Promise.all([text(verify.stdout), text(verify.stderr)]);
    [code] = await once(verify, "close");
    const [stdout, stderr] = await output;
    shown = stdout + stderr;
    last = (stdout || stderr).trim().split("\n").at(-1) ?? "";
  }
  const seconds = (performance.now() - before) / 1000;
  server.closeAllConnections();
  server.close();
  const profile = existsSync(out) ? readFileSync(out, "utf8") : "";
  const written = shown + profile;
  const isShown = [apiToken, escaped, entities, encodeURIComponent(apiToken), base64].some((form) =>
    written.includes(form),
  );
  rmSync(folder, { recursive: true });
  const { requests, groups } = counted;
  const hasProfile = profile === "" ? "no" : "yes";
  return [
    name,
    seconds.toFixed(1),
    requests,
    groups,
    code,
    hasProfile,
    isShown ? "YES" : "no",
    last.slice(0, 130),
  ];
}

/**
 * The service of the document: it rejects what is wrong with `success` 0.
 * @param {Oddity} oddity
 * @param {{ requests: number, groups: number }} counted
 * @param {() => void} interrupt
 * @returns {import("node:http").RequestListener}
 */
function serve(oddity, counted, interrupt) {
  const { before, after, pauseMs = 0, interruptAt, idOf = String } = oddity;
  const newToken = oddity.token ?? (() => randomBytes(20).toString("hex"));
  /** @type {{ provided_id: string, name: string, token: string, team_id: number }[]} */
  const groups = [];
  /** @param {number} status */
  const failed = (status) => ({ status, body: { success: 0, message: "no" } });

  /** @param {import("node:http").IncomingMessage} req @param {any} json @returns {Sent} */
  const respond = ({ method, url, headers }, json) => {
    if (url !== "/api/user") return failed(404);
    if (headers.authorization !== `Token ${apiToken}`) return failed(401);
    if (method === "POST") {
      const group = groups.find(({ token }) => token === json.current_token);
      if (group === undefined) return failed(404);
      group.token = newToken();
      return { status: 200, body: { success: 1, user_group: group } };
    }
    if (method !== "GET") return failed(405);
    if (json.user_group_id === undefined || (json.name !== undefined && typeof json.name !== "string"))
      return failed(400);
    const provided_id = idOf(json.user_group_id);
    const found = groups.find((group) => group.provided_id === provided_id);
    if (found === undefined && json.name === undefined) return failed(400);
    const group = found ?? { team_id: 3, token: newToken(), name: json.name, provided_id };
    if (found === undefined) groups.push(group);
    counted.groups = groups.length;
    return { status: 200, body: { success: 1, new_user_group: found === undefined, user_group: group } };
  };

  return async (req, res) => {
    const n = ++counted.requests;
    const json = parse(await text(req));
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (n === interruptAt) interrupt();
    if (before?.(res, json, n)) return;
    const correct = respond(req, json);
    const { status, body } = after?.(correct, json, n) ?? correct;
    const isText = typeof body === "string";
    res.writeHead(status, { "Content-Type": isText ? "text/plain" : "application/json" });
    res.end(isText ? body : JSON.stringify(body));
  };
}

/** @param {string} json */
function parse(json) {
  try {
    return Object(JSON.parse(json));
  } catch {
    return {};
  }
}

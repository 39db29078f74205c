import { type ClientRequest, request } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startMock } from "../../../../src/client/start-mock.js";
import type { Mock, World } from "../../../../src/client/world.js";
import type { JournalEntry, Operation } from "../../../../src/generated/types.js";
import type { FaultRequest } from "../../../../src/index.js";
import { call } from "../../../call.js";
import { isLong } from "../../../long.js";
import { patience } from "../../../patience.js";
import { type Tapped, tap } from "./tap.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.stop());

interface Sending {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  /** The client disconnects after so many milliseconds. */
  readonly disconnectAfterMs?: number;
}

/** Sends a request. Never rejects: the outcome is compared later. */
function make(url: string, sending: Sending): Promise<void> {
  const { method = "GET", path = "/api/user", headers = {}, body = "", disconnectAfterMs } = sending;
  const length = Buffer.byteLength(body);
  const sent = {
    Authorization: "Token test-api-token",
    ...(length > 0 && { "Content-Type": "application/json", "Content-Length": String(length) }),
    ...headers,
  };
  return new Promise((resolve) => {
    const req: ClientRequest = request(`${url}${path}`, { method, headers: sent, agent: false }, (res) => {
      res.resume();
      res.on("error", () => resolve());
      res.on("close", () => resolve());
    });
    req.on("error", () => resolve());
    req.on("close", () => resolve());
    const leave = () => disconnectAfterMs !== undefined && setTimeout(() => req.destroy(), disconnectAfterMs);
    req.end(body, leave);
  });
}

/** The head and the body of a message on the wire. */
function parse(bytes: Buffer) {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { first: first.split(" "), headers: Object.fromEntries(headers), body: bytes.subarray(end + 4) };
}

/** Where journal and event stream differ from what the tap saw. */
async function differences(world: World, tapped: Tapped, streamed: JournalEntry): Promise<string[]> {
  const found: string[] = [];
  const compare = (what: string, shown: unknown, seen: unknown) => {
    try {
      expect(shown).toEqual(seen);
    } catch {
      found.push(`${what} is ${JSON.stringify(shown)}, on the wire it was ${JSON.stringify(seen)}`);
    }
  };
  const [entry] = await world.requests();
  if (entry === undefined) return ["no entry"];
  const { body: texts } = await call("GET", `${world.url}/__admin/requests/${entry.id}/body`);
  compare("the streamed entry", streamed, entry);
  const sent = parse(tapped.sent);
  compare("method", entry.request.method, sent?.first[0]);
  compare("request headers", entry.request.headers, sent?.headers);
  if (sent?.headers["content-encoding"] === undefined && texts.request !== null) {
    compare("request text", texts.request, sent?.body.toString());
  }
  const response = parse(tapped.received);
  compare("whether there is a response", entry.response === null, response === undefined);
  const body = response?.body.toString() ?? "";
  compare("status", entry.response?.status, response === undefined ? undefined : Number(response.first[1]));
  compare("headers", entry.response?.headers, response?.headers);
  compare("text", texts.response ?? "", body);
  compare("body", entry.response?.body ?? null, body === "" ? null : jsonOr(body));
  const isWhole =
    response !== undefined &&
    (sent?.first[0] === "HEAD" || response.body.length === Number(response.headers["content-length"] ?? 0));
  if (entry.delivery !== "caller-left") {
    compare("delivery", entry.delivery, isWhole ? "complete" : response === undefined ? "none" : "cut");
  }
  return found;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

let worlds = 0;

/** Sends one request through a tap, in a new world. */
async function observe(sending: Sending, fault?: FaultRequest) {
  const world = mock.world(`wire-${++worlds}`);
  const before = await world.addGroup({ provided_id: "kept", name: "Kept 😀", token: `token-${worlds}` });
  const armed = fault === undefined ? undefined : await world.fault(fault);
  await using wire = await tap(mock.url);
  const body =
    typeof sending.body === "string" ? sending.body.replace("<token>", before.token) : sending.body;
  const made = make(`${wire.url}/worlds/${world.name}`, { ...sending, ...(body !== undefined && { body }) });
  if (fault?.hold && armed !== undefined) {
    await vi.waitUntil(async () => (await armed.fired()) === 1, patience);
    // Once the mock has closed its side too, it has noticed the disconnect.
    if (sending.disconnectAfterMs !== undefined) await made.then(wire.all);
    await call("POST", `${world.url}/__admin/faults/${armed.id}/release`);
  }
  await made;
  const [tapped] = await wire.all();
  const entry = await world.waitForRequest();
  const groups = await world.groups();
  const wrong = tapped === undefined ? ["no connection"] : await differences(world, tapped, entry);
  await world.drop();
  return { entry, groups, before, wrong };
}

const operations: readonly (readonly [Operation, Sending])[] = [
  [
    "get-or-create",
    { body: '{ "user_group_id": "new", "name": "Neu 😀", "properties": { "n": 1.0, "n": 2 } }' },
  ],
  ["rotate", { method: "POST", body: '{"current_token":"<token>"}' }],
];
const faults: readonly FaultRequest[] = [
  { status: 503 },
  {
    status: 429,
    headers: { "Retry-After": "0", "content-type": "application/problem+json" },
    body: { a: [1] },
  },
  { status: 502, text: "<html><h1>502 Bad Gateway ü</h1></html>" },
  { reset: true },
  { empty: true },
  { truncate: true },
  { malformed: true },
  { delayMs: 30 },
  { hold: true },
];
const phases = ["before", "after"] as const;
const cases = operations.flatMap(([operation, sending]) =>
  faults.flatMap((kind) =>
    phases.flatMap((phase) =>
      (isLong ? [undefined, 25] : [undefined]).flatMap((delayMs) =>
        // A client that stays, that disconnects at once, and in the middle.
        [undefined, 5, ...(isLong ? [15] : [])].map((disconnectAfterMs) => ({
          operation,
          fault: { ...kind, phase, ...(delayMs !== undefined && { delayMs }) },
          sending: { ...sending, ...(disconnectAfterMs !== undefined && { disconnectAfterMs }) },
        })),
      ),
    ),
  ),
);

describe("journal and event stream", () => {
  it(`match the bytes on the wire for every fault in every phase: ${cases.length} requests`, async () => {
    const wrong: string[] = [];
    const check = async ({ operation, fault, sending }: (typeof cases)[number]) => {
      const observed = await observe(sending, fault);
      const { entry, groups, before } = observed;
      const rotated = groups.find(({ provided_id }) => provided_id === "kept")?.token !== before.token;
      const created = groups.some(({ provided_id }) => provided_id === "new");
      const happened = rotated ? "rotated" : created ? "created" : "none";
      const problems = [...observed.wrong];
      const [isDisconnected, disconnects] = [
        entry?.delivery === "caller-left",
        sending.disconnectAfterMs !== undefined,
      ];
      if (isDisconnected ? !disconnects : disconnects && fault.hold)
        problems.push(`delivery is ${entry?.delivery}`);
      if (entry?.effect !== happened) problems.push(`effect is ${entry?.effect}, it was ${happened}`);
      const { cause = null, notes = [], outcome } = entry ?? {};
      const isExplained =
        cause === null ? notes.some((note) => note.startsWith("fault 1 ")) : cause.fault === 1;
      if (!isExplained) problems.push("neither cause nor notes name the fault");
      if ((cause === null) !== (outcome === "success"))
        problems.push(`${outcome} has the cause ${cause?.code}`);
      wrong.push(
        ...problems.map((problem) => `${operation} ${JSON.stringify({ ...fault, ...sending })}: ${problem}`),
      );
    };
    // Several at once, each in a new world.
    for (let n = 0; n < cases.length; n += 12) await Promise.all(cases.slice(n, n + 12).map(check));
    expect(wrong).toEqual([]);
  });

  const long = JSON.stringify({ user_group_id: "x".repeat(101_000) });
  it.each<[name: string, sending: Sending, delivery: string, effect: string]>([
    ["a found group", { body: '{"user_group_id":"kept"}' }, "complete", "found"],
    ["an unknown token", { method: "POST", body: '{"current_token":"x"}' }, "complete", "none"],
    ["a body that is not JSON", { body: "{ no" }, "complete", "none"],
    ["a repeated key", { body: '{"user_group_id":"b","user_group_id":"kept"}' }, "complete", "found"],
    [
      "a compressed body",
      { body: gzipSync('{"user_group_id":"kept"}'), headers: { "Content-Encoding": "gzip" } },
      "complete",
      "found",
    ],
    ["a body that is too large", { body: long }, "complete", "none"],
    ["HEAD", { method: "HEAD" }, "complete", "none"],
    ["another path", { path: "/nowhere?x=1" }, "complete", "none"],
    [
      "Connection: close",
      { body: '{"user_group_id":"kept"}', headers: { Connection: "close" } },
      "complete",
      "found",
    ],
  ])("match the bytes on the wire: %s", async (_, sending, delivery, effect) => {
    const { entry, wrong } = await observe(sending);
    expect(wrong).toEqual([]);
    expect(entry).toMatchObject({ delivery, effect });
  });
});

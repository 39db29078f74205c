import { Agent, request } from "node:http";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Snapshot } from "../../src/generated/types.js";
import { type Mock, startMock } from "../../src/index.js";
import {
  type AssumptionId,
  type AssumptionValues,
  assumptionIds,
  valuesOf,
} from "../../src/service/assumptions.js";
import { getOrCreate, rotate } from "../call.js";
import { draws } from "../long.js";
import { mixtures } from "../mixtures.js";
import { unusedMethod } from "../unused-methods.js";

/** A call as it goes over the wire. Tokens are named, not spelled: `<retired>` in the body is that token. */
interface Call {
  readonly method: string;
  readonly path: string;
  /** null: no such header. */
  readonly authorization: string | null;
  readonly contentType: string | null;
  /** Text is sent as it is; undefined: no body. */
  readonly body: unknown;
}

/** What a caller sees of an answer, and what it is said to depend on. */
interface Seen {
  readonly answer: {
    status: number;
    body: string;
    authenticate: string | undefined;
    allow: string | undefined;
  };
  readonly assumed: string;
  readonly request: number;
}

const seed = 20262;
const agent = new Agent({ keepAlive: true });
let mock: Mock;
let start: Snapshot;
const tokens: Record<string, string> = { unknown: "f".repeat(64) };

/** Before every call: each team has a group whose token was rotated, and team 3 another one. */
beforeAll(async () => {
  mock = await startMock();
  const { user_groups = [] } = await mock.state();
  tokens.retired = user_groups.find(({ team_id }) => team_id === 3)?.token ?? "";
  tokens["foreign-retired"] = user_groups.find(({ team_id }) => team_id === 4)?.token ?? "";
  tokens.current = (await rotate(mock.url, tokens.retired)).body.user_group.token;
  const foreign = await rotate(mock.url, tokens["foreign-retired"], { apiToken: "other-api-token" });
  tokens.foreign = foreign.body.user_group.token;
  tokens.untouched = (await getOrCreate(mock.url, { user_group_id: "no-mapping" })).body.user_group.token;
  start = await mock.snapshot();
});
afterAll(async () => {
  agent.destroy();
  await mock.stop();
});

/** Makes the call under these assumptions, always from the same state. */
async function see(call: Call, values: AssumptionValues): Promise<Seen> {
  await mock.restore(start);
  await mock.assume(values);
  return send(call);
}

function send({ method, path, authorization, contentType, body }: Call): Promise<Seen> {
  const json = typeof body === "string" ? body : JSON.stringify(body);
  const text = json?.replace(/<([\w-]+)>/g, (_, name: string) => tokens[name] ?? "");
  const headers = {
    ...(authorization !== null && { Authorization: authorization }),
    ...(contentType !== null && { "Content-Type": contentType }),
    ...(text !== undefined && { "Content-Length": Buffer.byteLength(text) }),
  };
  return new Promise((resolve, reject) => {
    const req = request(mock.url + path, { method, headers, agent }, async (res) => {
      const { allow, "www-authenticate": authenticate } = res.headers;
      const received = Buffer.concat(await res.toArray()).toString();
      resolve({
        answer: { status: res.statusCode ?? 0, body: received, authenticate, allow },
        assumed: String(res.headers["usergroup-mock-assumed"] ?? ""),
        request: Number(res.headers["usergroup-mock-request"]),
      });
    });
    req.on("error", reject);
    req.end(text);
  });
}

/** Those of which another value gives another answer. */
async function decisive(call: Call, mixture: AssumptionValues, { answer }: Seen): Promise<AssumptionId[]> {
  const found: AssumptionId[] = [];
  for (const id of assumptionIds) {
    for (const value of valuesOf(id).filter((other) => other !== mixture[id])) {
      const other = await see(call, { ...mixture, [id]: value });
      if (!isDeepStrictEqual(other.answer, answer)) {
        found.push(id);
        break;
      }
    }
  }
  return found;
}

async function expectExactMarks(call: Call, mixture: AssumptionValues): Promise<void> {
  const seen = await see(call, mixture);
  const [entry] = await mock.requests({ after: seen.request - 1, limit: 1 });
  const found = await decisive(call, mixture, seen);
  const marks = (ids: readonly AssumptionId[]) => ids.map((id) => `${id}=${mixture[id]}`).sort();
  const named = seen.assumed === "" ? [] : seen.assumed.split(", ").sort();
  // Two failures can look the same there; what decided which of them it is may be named all the same.
  if (mixture["failure-body"] === "bare") expect(named).toEqual(expect.arrayContaining(marks(found)));
  else expect(named).toEqual(marks(found));
  expect(
    Object.entries(entry?.assumed ?? {})
      .map(([id, value]) => `${id}=${value}`)
      .sort(),
  ).toEqual(named);
}

const usual: Call = {
  method: "GET",
  path: "/api/user",
  authorization: "Token test-api-token",
  contentType: "application/json",
  body: undefined,
};
const get = (body: unknown, otherwise: Partial<Call> = {}): Call => ({ ...usual, body, ...otherwise });
const post = (token: unknown, otherwise: Partial<Call> = {}): Call => ({
  ...usual,
  method: "POST",
  body: { current_token: token },
  ...otherwise,
});
const otherTeam = { authorization: "Token other-api-token" };
const stranger = { authorization: "Token unheard-of" };
const group = { user_group_id: "new", name: "New" };

const table: readonly (readonly [what: string, call: Call])[] = [
  ["creating a group", get(group)],
  ["creating one with mapping and properties", get({ ...group, mapping: { a: "b" }, properties: { c: 1 } })],
  ["looking a group up", get({ user_group_id: "example_1" })],
  ["looking one up by its very name", get({ user_group_id: "example_1", name: "Example 1" })],
  ["another name for a group that exists", get({ user_group_id: "example_1", name: "Other" })],
  ["another mapping for one that exists", get({ user_group_id: "example_1", mapping: { a: "b" } })],
  ["an id that another team has, with a name", get({ user_group_id: "no-mapping", name: "Mine" }, otherTeam)],
  ["an id that another team has, without a name", get({ user_group_id: "no-mapping" }, otherTeam)],
  ["an id that both teams have", get({ user_group_id: "example_1", name: "Other" }, otherTeam)],
  ["no name for a new group", get({ user_group_id: "new" })],
  ["an empty id", get({ user_group_id: "", name: "Empty" })],
  ["an empty name for a new group", get({ user_group_id: "new", name: "" })],
  ["an empty name for a group that exists", get({ user_group_id: "example_1", name: "" })],
  ["a number as id", get({ user_group_id: 42, name: "Number" })],
  ["a number as id that JSON has rounded", get('{"user_group_id": 9007199254740993, "name": "Big"}')],
  ["a number as id, and no name", get({ user_group_id: 42 })],
  ["a number in the mapping", get({ ...group, mapping: { a: 1 } })],
  ["a mapping that is none", get({ ...group, mapping: "a" })],
  ["an unknown field", get({ ...group, propertys: {} })],
  ["an unknown field, and no name", get({ user_group_id: "new", propertys: {} })],
  [
    "six problems, of which four are open questions",
    get({ user_group_id: 42, name: "", mapping: { a: 1 }, properties: 1, x: 1, y: 1 }),
  ],
  [
    "properties that are none, and a number in the mapping",
    get({ ...group, mapping: { a: 1 }, properties: 1 }),
  ],
  ["an unknown API token", get(group, stranger)],
  ["an unknown API token, and no name", get({ user_group_id: "new" }, stranger)],
  ["token in lower case", get(group, { authorization: "token test-api-token" })],
  ["token in lower case, and unknown", get(group, { authorization: "token unheard-of" })],
  ["no Authorization", get(group, { authorization: null })],
  ["another kind of Authorization", get(group, { authorization: "Bearer test-api-token" })],
  ["no Content-Type", get(group, { contentType: null })],
  ["text as Content-Type, for something that is no JSON", get("{", { contentType: "text/plain" })],
  ["text as Content-Type, and no body", get(undefined, { contentType: "text/plain" })],
  ["JSON in Latin-1", get(group, { contentType: "application/json; charset=latin1" })],
  ["something that is no JSON", get("{")],
  ["a list", get([])],
  ["null", get("null")],
  ["no body", get(undefined)],
  ["a slash at the end", get(group, { path: "/api/user/" })],
  ["a slash at the end, and no name", get({ user_group_id: "new" }, { path: "/api/user/" })],
  ["rotating", post("<current>")],
  ["rotating one that nobody has touched", post("<untouched>")],
  ["rotating a retired token", post("<retired>")],
  ["rotating a foreign token", post("<foreign>")],
  ["rotating a foreign token that is retired", post("<foreign-retired>")],
  ["rotating the own token from the other team", post("<current>", otherTeam)],
  ["rotating an unknown token", post("<unknown>")],
  ["rotating an unknown token for a stranger", post("<unknown>", stranger)],
  ["rotating an empty token", post("")],
  ["rotating a number", post(7)],
  ["rotating with a file name", post("x", { body: { current_token: "<current>", filename: "a.mp4" } })],
  [
    "rotating a retired token with an unknown field",
    get({ current_token: "<retired>", x: 1 }, { method: "POST" }),
  ],
  ["rotating at /videos", post("<current>", { path: "/videos" })],
  ["rotating a retired token at /videos", post("<retired>", { path: "/videos" })],
  ["getting /videos", get(group, { path: "/videos" })],
  ["another path", get(group, { path: "/api/users" })],
  ["a method that is not allowed", get(group, { method: unusedMethod })],
  ["such a method with a slash at the end", get(group, { method: unusedMethod, path: "/api/user/" })],
  ["OPTIONS", get(undefined, { method: "OPTIONS" })],
  ["OPTIONS with a slash at the end", get(undefined, { method: "OPTIONS", path: "/api/user/" })],
  ["HEAD", get(undefined, { method: "HEAD" })],
  ["HEAD with a slash at the end", get(undefined, { method: "HEAD", path: "/api/user/" })],
];

/** Calls that nobody has thought of. Whatever stands several times is drawn more often. */
const calls: fc.Arbitrary<Call> = fc.record({
  method: fc.constantFrom("GET", "GET", "GET", "POST", "POST", "POST", unusedMethod),
  path: fc.constantFrom("/api/user", "/api/user", "/api/user", "/api/user", "/api/user/", "/videos", "/"),
  authorization: fc.constantFrom(
    "Token test-api-token",
    "Token test-api-token",
    "Token test-api-token",
    "Token other-api-token",
    "Token unheard-of",
    "token other-api-token",
    "TOKEN unheard-of",
    "Token",
    null,
  ),
  contentType: fc.constantFrom(
    "application/json",
    "application/json",
    "application/json",
    "application/json; charset=utf-8",
    "application/json; charset=latin1",
    "text/plain",
    null,
  ),
  body: fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record(
        {
          user_group_id: fc.constantFrom<unknown>(
            "example_1",
            "no-mapping",
            "new",
            "",
            42,
            1e300,
            null,
            "\0",
          ),
          name: fc.constantFrom<unknown>("Example 1", "Other", "Other", "", 5, null),
          mapping: fc.constantFrom<unknown>(
            {},
            { a: "b" },
            { a: 1 },
            { a: {}, b: 2, c: null, d: [] },
            [],
            "a",
          ),
          properties: fc.constantFrom<unknown>({}, { a: 1 }, [], "a"),
          current_token: fc.constantFrom<unknown>(
            "<current>",
            "<untouched>",
            "<retired>",
            "<foreign>",
            "<foreign-retired>",
            "<unknown>",
            "",
            7,
          ),
          filename: fc.constantFrom<unknown>("a.mp4", 5),
          propertys: fc.constant(1),
        },
        { requiredKeys: [] },
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom<unknown>("{", "[]", "null", '"text"', undefined) },
  ),
});

describe("the assumptions that an answer names are those that decided it", () => {
  it.each(table)("for %s", async (_, call) => {
    const property = fc.asyncProperty(mixtures, (mixture) => expectExactMarks(call, mixture));
    await fc.assert(property, { seed, numRuns: draws(1, 6) });
  });

  it("for calls that nobody has thought of", { timeout: 60_000 }, async () => {
    const property = fc.asyncProperty(calls, mixtures, expectExactMarks);
    await fc.assert(property, { seed, numRuns: draws(30, 300) });
  });

  it("and among these calls there is one for every assumption", async () => {
    const met = new Set<string>();
    for (const [, call] of table) {
      for (const mixture of fc.sample(mixtures, { seed, numRuns: 6 })) {
        for (const mark of (await see(call, mixture)).assumed.split(", ")) met.add(mark);
      }
    }
    const all = assumptionIds.flatMap((id) => valuesOf(id).map((value) => `${id}=${value}`));
    expect([...met].filter((mark) => mark !== "").sort()).toEqual(all.sort());
  });
});

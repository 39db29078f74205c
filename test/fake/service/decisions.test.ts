import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type AssumptionId,
  type AssumptionValues,
  assumptionIds,
  valuesOf,
} from "../../../src/fake/contract/assumptions.js";
import { type Mock, startMock } from "../../../src/index.js";
import { draws, isLong, itInLongRun } from "../../long.js";
import { unusedMethod } from "../../unused-methods.js";

/** A request. In the body, `<retired>` stands for the token of that name. */
interface TestRequest {
  readonly method: string;
  readonly path: string;
  /** null: without the header. */
  readonly authorization: string | null;
  readonly contentType: string | null;
  /** Text is sent as it is; undefined: no body. */
  readonly body: unknown;
}

/** A response, and the assumptions that it names. */
interface Seen {
  readonly response: {
    status: number;
    body: string;
    length: string | undefined;
    authenticate: string | undefined;
    allow: string | undefined;
  };
  readonly assumed: string;
  readonly request: number;
}

/** A random value for every assumption. */
const mixtures = fc.record(
  Object.fromEntries(assumptionIds.map((id) => [id, fc.constantFrom(...valuesOf(id))])),
) as unknown as fc.Arbitrary<AssumptionValues>;

const seed = 20262;
let mock: Mock;
/** Thousands of requests: a connection for each would take most of the time. */
const agent = new Agent({ keepAlive: true });
/** The values that no response has named yet. */
const unnamed = new Set(assumptionIds.flatMap((id) => valuesOf(id).map((value) => `${id}=${value}`)));
const tokens: Record<string, string> = { unknown: "f".repeat(64) };

beforeAll(async () => {
  mock = await startMock();
  const { user_groups } = await mock.state();
  tokens.retired = user_groups.find(({ team_id }) => team_id === 3)?.token ?? "";
  tokens["foreign-retired"] = user_groups.find(({ team_id }) => team_id === 4)?.token ?? "";
  tokens.untouched = user_groups.find(({ provided_id }) => provided_id === "no-mapping")?.token ?? "";
  await startAgain();
});
afterAll(() => {
  agent.destroy();
  return mock.stop();
});

/** Each team has a group whose token was rotated. Its new token is another one after each reset. */
async function startAgain(): Promise<void> {
  await mock.reset();
  await send(post("<retired>"));
  await send(post("<foreign-retired>", otherTeam));
  const rotated = (await mock.groups()).filter(({ rotations }) => rotations > 0);
  tokens.current = rotated.find(({ team_id }) => team_id === 3)?.token ?? "";
  tokens.foreign = rotated.find(({ team_id }) => team_id === 4)?.token ?? "";
}

/** The text with the names of tokens instead of the tokens, so that it is the same after each reset. */
function withNames(text: string): string {
  const names = Object.entries(tokens);
  return text.replace(
    /[0-9a-f]{64}/g,
    (token) => `<${names.find(([, known]) => known === token)?.[0] ?? "new"}>`,
  );
}

let isChanged = false;

/** Sends the request under these assumptions, always from the same state. */
async function see(request: TestRequest, values: AssumptionValues): Promise<Seen> {
  if (isChanged) await startAgain();
  await mock.assume(values);
  const seen = await send(request);
  isChanged = seen.response.status < 300;
  for (const mark of seen.assumed.split(", ")) unnamed.delete(mark);
  return seen;
}

async function send({ method, path, authorization, contentType, body }: TestRequest): Promise<Seen> {
  const json = typeof body === "string" ? body : JSON.stringify(body);
  const text = json?.replace(/<([\w-]+)>/g, (_, name: string) => tokens[name] ?? "");
  const headers = {
    ...(authorization !== null && { Authorization: authorization }),
    ...(contentType !== null && { "Content-Type": contentType }),
    ...(text !== undefined && { "Content-Length": Buffer.byteLength(text) }),
  };
  const req = httpRequest(`${mock.url}${path}`, { method, headers, agent }).end(text);
  const [res]: IncomingMessage[] = await once(req, "response");
  const { statusCode: status = 0, headers: sent = {} } = res ?? {};
  const received: Buffer[] = (await res?.toArray()) ?? [];
  // A response to HEAD has the length of a body, but no body.
  const { allow, "www-authenticate": authenticate, "content-length": length } = sent;
  return {
    response: { status, body: withNames(Buffer.concat(received).toString()), length, authenticate, allow },
    assumed: String(sent["usergroup-mock-assumed"] ?? ""),
    request: Number(sent["usergroup-mock-request"]),
  };
}

/** The assumptions of which another value gives another response. */
async function decisive(
  request: TestRequest,
  mixture: AssumptionValues,
  { response }: Seen,
): Promise<AssumptionId[]> {
  const found: AssumptionId[] = [];
  for (const id of assumptionIds) {
    let isDecisive = false;
    for (const value of valuesOf(id).filter((other) => other !== mixture[id])) {
      const other = await see(request, { ...mixture, [id]: value });
      isDecisive ||= !isDeepStrictEqual(other.response, response);
    }
    if (isDecisive) found.push(id);
  }
  return found;
}

async function expectExactMarks(request: TestRequest, mixture: AssumptionValues): Promise<void> {
  const seen = await see(request, mixture);
  const [entry] = await mock.requests({ after: seen.request - 1, limit: 1 });
  const found = await decisive(request, mixture, seen);
  const marks = (ids: readonly AssumptionId[]) => ids.map((id) => `${id}=${mixture[id]}`).sort();
  const named = seen.assumed === "" ? [] : seen.assumed.split(", ").sort();
  // Without a body, two different failures look equal, so the header may name more.
  if (mixture["failure-body"] === "bare") expect(named).toEqual(expect.arrayContaining(marks(found)));
  else expect(named).toEqual(marks(found));
  expect(
    Object.entries(entry?.assumed ?? {})
      .map(([id, value]) => `${id}=${value}`)
      .sort(),
  ).toEqual(named);
}

const usual: TestRequest = {
  method: "GET",
  path: "/api/user",
  authorization: "Token test-api-token",
  contentType: "application/json",
  body: undefined,
};
const get = (body: unknown, otherwise: Partial<TestRequest> = {}): TestRequest => ({
  ...usual,
  body,
  ...otherwise,
});
const post = (token: unknown, otherwise: Partial<TestRequest> = {}): TestRequest => ({
  ...usual,
  method: "POST",
  body: { current_token: token },
  ...otherwise,
});
const otherTeam = { authorization: "Token other-api-token" };
const unknownCaller = { authorization: "Token unheard-of" };
const group = { user_group_id: "new", name: "New" };

type Row = readonly [what: string, request: TestRequest];

/** Several situations, of which the first that rejects hides the others. */
const several: readonly Row[] = [
  ["another name for a group that exists", get({ user_group_id: "example_1", name: "Other" })],
  ["an id that another team has, with a name", get({ user_group_id: "no-mapping", name: "Mine" }, otherTeam)],
  ["an id in capitals with spaces", get({ user_group_id: " Example_1 ", name: "Other" })],
  ["an id of another team in capitals", get({ user_group_id: "NO-MAPPING", name: "Mine" }, otherTeam)],
  ["the name of another group for one that exists", get({ user_group_id: "no-mapping", name: "Example 1" })],
  ["a number as id, and no name", get({ user_group_id: 42 })],
  ["an unknown field, and no name", get({ user_group_id: "new", propertys: {} })],
  [
    "six problems, of which four depend on assumptions",
    get({ user_group_id: 42, name: "", mapping: { a: 1 }, properties: 1, x: 1, y: 1 }),
  ],
  ["an unknown API token, and no name", get({ user_group_id: "new" }, unknownCaller)],
  ["token in lower case, and unknown", get(group, { authorization: "token unheard-of" })],
  ["text as Content-Type, and a body that is not JSON", get("{", { contentType: "text/plain" })],
  ["a slash at the end, and no name", get({ user_group_id: "new" }, { path: "/api/user/" })],
  ["rotating a foreign token that is retired", post("<foreign-retired>")],
  [
    "rotating a retired token with an unknown field",
    get({ current_token: "<retired>", x: 1 }, { method: "POST" }),
  ],
  ["rotating a retired token at /videos", post("<retired>", { path: "/videos" })],
  [
    "a method that is not allowed, with a slash at the end",
    get(group, { method: unusedMethod, path: "/api/user/" }),
  ],
];

/** The walk of situations shows for each of these that it is named. */
const single: readonly Row[] = [
  ["creating a group", get(group)],
  [
    "creating a group with mapping and properties",
    get({ ...group, mapping: { a: "b" }, properties: { c: 1 } }),
  ],
  ["looking a group up", get({ user_group_id: "example_1" })],
  ["looking up a group with its own name", get({ user_group_id: "example_1", name: "Example 1" })],
  ["another mapping for a group that exists", get({ user_group_id: "example_1", mapping: { a: "b" } })],
  ["an id that another team has, without a name", get({ user_group_id: "no-mapping" }, otherTeam)],
  ["an id that both teams have", get({ user_group_id: "example_1", name: "Other" }, otherTeam)],
  ["an id in capitals", get({ user_group_id: "EXAMPLE_1", name: "Other" })],
  ["an id with a space at its end", get({ user_group_id: "example_1 " })],
  ["the name of another group for a new one", get({ user_group_id: "new", name: "Example 1" })],
  ["no name for a new group", get({ user_group_id: "new" })],
  ["an empty id", get({ user_group_id: "", name: "Empty" })],
  ["an empty name for a new group", get({ user_group_id: "new", name: "" })],
  ["an empty name for a group that exists", get({ user_group_id: "example_1", name: "" })],
  ["a number as id", get({ user_group_id: 42, name: "Number" })],
  ["a number as id that lost digits", get('{"user_group_id": 9007199254740993, "name": "Big"}')],
  ["a number in the mapping", get({ ...group, mapping: { a: 1 } })],
  ["a mapping that is not an object", get({ ...group, mapping: "a" })],
  ["an unknown field", get({ ...group, propertys: {} })],
  [
    "properties that are not an object, and a number in the mapping",
    get({ ...group, mapping: { a: 1 }, properties: 1 }),
  ],
  ["an unknown API token", get(group, unknownCaller)],
  ["token in lower case", get(group, { authorization: "token test-api-token" })],
  ["no Authorization", get(group, { authorization: null })],
  ["another kind of Authorization", get(group, { authorization: "Bearer test-api-token" })],
  ["no Content-Type", get(group, { contentType: null })],
  ["text as Content-Type, and no body", get(undefined, { contentType: "text/plain" })],
  ["JSON in Latin-1", get(group, { contentType: "application/json; charset=latin1" })],
  ["a body that is not JSON", get("{")],
  ["a list", get([])],
  ["null", get("null")],
  ["no body", get(undefined)],
  ["a slash at the end", get(group, { path: "/api/user/" })],
  ["rotating", post("<current>")],
  ["rotating a token for the first time", post("<untouched>")],
  ["rotating a retired token", post("<retired>")],
  ["rotating a foreign token", post("<foreign>")],
  ["rotating the token of another team", post("<current>", otherTeam)],
  ["rotating an unknown token", post("<unknown>")],
  ["rotating an unknown token with an unknown API token", post("<unknown>", unknownCaller)],
  ["rotating an empty token", post("")],
  ["rotating a number", post(7)],
  ["rotating with a file name", post("x", { body: { current_token: "<current>", filename: "a.mp4" } })],
  ["rotating at /videos", post("<current>", { path: "/videos" })],
  ["getting /videos", get(group, { path: "/videos" })],
  ["another path", get(group, { path: "/api/users" })],
  ["a method that is not allowed", get(group, { method: unusedMethod })],
  ["OPTIONS", get(undefined, { method: "OPTIONS" })],
  ["OPTIONS with a slash at the end", get(undefined, { method: "OPTIONS", path: "/api/user/" })],
  ["HEAD", get(undefined, { method: "HEAD" })],
  ["HEAD with a slash at the end", get(undefined, { method: "HEAD", path: "/api/user/" })],
];

describe("a response names exactly the assumptions that decided it", () => {
  it.each(isLong ? [...several, ...single] : several)("for %s", async (_, request) => {
    const property = fc.asyncProperty(mixtures, (mixture) => expectExactMarks(request, mixture));
    await fc.assert(property, { seed, numRuns: draws(1, 12) });
  });

  itInLongRun("and some response above names every value of every assumption", async () => {
    expect(unnamed).toEqual(new Set());
  });
});

import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseJson } from "../../../../src/foundation/json.js";
import { limits } from "../../../../src/lab/verify/service/budget.js";
import { GroupClient } from "../../../../src/lab/verify/service/group-client.js";
import { NoResponse, NotDeterminable } from "../../../../src/lab/verify/service/not-determinable.js";
import type { Target } from "../../../../src/lab/verify/service/service-client.js";
import { quick } from "../known-service.js";
import { type PlainServer, plainServer } from "../plain-server.js";
import { recorded, rejected, type SeenPart, success } from "../seen-responses.js";

interface Arrived {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly type: string | undefined;
  readonly authorization: string | undefined;
  readonly text: string;
}

let server: PlainServer;
let arrived: Arrived[];
/** The next responses. The last one is repeated. */
let responses: SeenPart[];

beforeEach(async () => {
  arrived = [];
  responses = [success({ token: "token" })];
  server = await plainServer(async (req, res) => {
    const { method, url, headers } = req;
    const { "content-type": type, authorization } = headers;
    arrived.push({ method, url, type, authorization, text: await text(req) });
    const [next = {}] = responses.length > 1 ? responses.splice(0, 1) : responses;
    const body = typeof next.body === "string" ? next.body : JSON.stringify(next.body);
    res.writeHead(next.status ?? 200, { "Content-Type": "application/json", ...next.headers }).end(body);
  });
});
afterEach(() => server[Symbol.asyncDispose]());

const busy: SeenPart = { status: 503, body: "" };
const throttled: SeenPart = { status: 429, body: "", headers: { "Retry-After": "0" } };

function client(target: Partial<Target> = {}, attempts = 4): GroupClient {
  const patience = { ...quick, backoffMs: 1, attempts };
  return new GroupClient({ baseUrl: server.url, apiToken: "api-token", ...target }, { patience });
}

describe("a request is sent", () => {
  it("with the API token, as JSON, for a new group", async () => {
    const service = client();
    service.base = { mapping: { "40": "1" }, name: "of the sample" };
    await service.create({ properties: {} });
    const { prefix } = service.groups;
    const body = {
      mapping: { "40": "1" },
      name: `${prefix} 2`,
      user_group_id: `${prefix}-1`,
      properties: {},
    };
    expect(arrived).toEqual([
      {
        method: "GET",
        url: "/api/user",
        type: "application/json",
        authorization: "Token api-token",
        text: JSON.stringify(body),
      },
    ]);
  });

  it("with another API token, scheme, Content-Type, path and method", async () => {
    const options = {
      apiToken: "other",
      scheme: "Bearer",
      contentType: "text/plain",
      path: "/x",
      method: "PUT",
    };
    await client().send("text", options);
    expect(arrived).toEqual([
      { method: "PUT", url: "/x", type: "text/plain", authorization: "Bearer other", text: "text" },
    ]);
  });

  it("without headers", async () => {
    await client().send("{}", { apiToken: null, contentType: null });
    expect(arrived).toMatchObject([{ type: undefined, authorization: undefined }]);
  });

  it("about the first group, as it was created", async () => {
    const service = client();
    expect(() => service.lookUp()).toThrow(
      "this needs a group, and this run has not seen the creation of one",
    );
    const user_group_id = service.groups.newId();
    service.creation = recorded({ body: { user_group_id, name: "First" } }, success({}));
    await service.lookUp({ name: null });
    expect(parseJson(arrived[0]?.text ?? "")).toEqual({ user_group_id, name: null });
  });

  it("not if it names a group of somebody", async () => {
    await expect(client().send({ user_group_id: "acme" })).rejects.toThrow("this needs the group acme");
    expect(arrived).toEqual([]);
  });
});

describe("a rotation of a group of its own", () => {
  const bodies = () => arrived.map(({ text }) => parseJson(text));

  it("uses the latest token of one group", async () => {
    responses = ["one", "two", "three"].map((token) => success({ token }));
    const service = client();
    await service.ask("any", async () => {
      await service.rotateOwn({ filename: "a" });
      await service.rotateOwn();
    });
    expect(bodies().slice(1)).toEqual([{ current_token: "one", filename: "a" }, { current_token: "two" }]);
  });

  it("is repeated plainly if it is rejected, and the rejection is what counts", async () => {
    responses = [success({ token: "one" }), rejected, success({ token: "two" })];
    const service = client();
    const { answer, entries } = await service.ask("any", () => service.rotateOwn({ filename: "" }));
    expect(answer.value?.isSuccess).toBe(false);
    expect(bodies().slice(1)).toEqual([{ current_token: "one", filename: "" }, { current_token: "one" }]);
    expect(entries).toHaveLength(3);
    await service.ask("any", () => service.rotateOwn());
    expect(bodies()[3]).toEqual({ current_token: "two" });
  });

  it("shows nothing if the plain one is rejected too", async () => {
    responses = [success({ token: "one" }), rejected];
    const service = client();
    const { answer } = await service.ask("any", () => service.rotateOwn({ filename: "" }));
    expect(answer).toEqual({ why: "a rotation that has to succeed was rejected (status 422)" });
  });

  it("takes a new group if the token of the latest is not known", async () => {
    responses = [success({ token: "one" }), success({ token: "two" }), busy, success({ token: "three" })];
    const service = client({}, 1);
    await service.ask("any", () => service.rotateOwn());
    expect((await service.ask("any", () => service.rotateOwn())).answer.unanswered).toBe(true);
    await service.ask("any", () => service.rotateOwn());
    expect(bodies()[3]).toHaveProperty("user_group_id");
  });

  it("takes a new group in a second attempt", async () => {
    responses = [success({ token: "one" }), success({ token: "two" }), busy, success({ token: "three" })];
    const service = client();
    const { entries } = await service.ask("any", async () => {
      await service.rotateOwn();
      await service.create();
    });
    expect(entries.map(({ request }) => request.method)).toEqual(["GET", "POST", "GET"]);
  });

  it("needs a token", async () => {
    responses = [success({})];
    await expect(client().rotateOwn()).rejects.toThrow("the service has not returned a token");
  });
});

describe("a question", () => {
  it("has the answer, and the requests from which it follows", async () => {
    const service = client();
    const { answer, entries } = await service.ask("first", () => service.create());
    expect(answer).toEqual({ value: entries[0]?.response });
    expect(entries).toMatchObject([{ question: "first", request: { method: "GET" } }]);
    expect((await service.ask("second", async () => 5)).entries).toEqual([]);
  });

  it("keeps what was found before the reason why it is not determinable", async () => {
    const service = client();
    const { answer, entries } = await service.ask("any", async () => {
      await service.create();
      throw new NotDeterminable("of api-token");
    });
    expect(answer).toEqual({ why: "of [secret]" });
    expect(entries).toHaveLength(1);
  });

  it("throws what is wrong with the program", async () => {
    await expect(client().ask("any", () => Promise.reject(new Error("a bug")))).rejects.toThrow("a bug");
  });

  it("is asked again as a whole if a request got no response, and leaves out what was sent before", async () => {
    responses = [success({}), busy, success({})];
    const service = client();
    const { entries } = await service.ask("any", async () => {
      await service.create();
      await service.create();
    });
    expect([arrived.length, entries.length]).toEqual([4, 2]);
  });

  it("is asked once only if it must not be repeated", async () => {
    responses = [busy];
    const service = client();
    const { answer } = await service.ask("any", () => service.create(), { isRepeated: false });
    expect(answer).toEqual({ why: "GET /api/user returned 503", unanswered: true });
    expect(arrived).toHaveLength(1);
  });

  it("repeats only the request that was throttled, also if the question must not be repeated", async () => {
    responses = [success({}), throttled, success({})];
    const service = client();
    const ask = async () => {
      await service.create();
      await service.create();
    };
    const { entries } = await service.ask("any", ask, { isRepeated: false });
    expect([arrived.length, entries.length]).toEqual([3, 2]);
    expect(arrived[1]?.text).toBe(arrived[2]?.text);
  });

  it("sends a throttled request with the second API token again, and one with a wrong API token not", async () => {
    responses = [throttled];
    const service = client({ secondApiToken: "second" });
    for (const apiToken of ["second", "wrong", null]) {
      arrived = [];
      await service.ask("any", () => service.create({}, { apiToken }), { isRepeated: false });
      expect(arrived, String(apiToken)).toHaveLength(apiToken === "second" ? 4 : 1);
    }
    arrived = [];
    await service.ask("any", () => service.create({}, { scheme: "token" }), { isRepeated: false });
    expect(arrived).toHaveLength(1);
  });

  it("is not asked after ten that got no response", async () => {
    const service = client();
    const fail = () => Promise.reject(new NoResponse("no response"));
    for (let n = 0; n < 10; n++)
      expect((await service.ask("fails", fail, { isRepeated: false })).answer.why).toMatch(/^no response/);
    expect(await service.ask("any", () => service.create())).toEqual({
      answer: { why: "the service did not respond to 10 questions in a row", unanswered: true },
      entries: [],
    });
    expect(arrived).toEqual([]);
  });

  it("can forget its last request", async () => {
    const service = client();
    const { entries } = await service.ask("any", async () => {
      const first = await service.create();
      await service.create();
      service.forgetLast();
      return first;
    });
    expect(entries.map(({ response }) => response.isSuccess)).toEqual([true]);
  });
});

describe("the same response again", () => {
  async function repeats(next: SeenPart, options: Parameters<GroupClient["create"]>[1] = {}) {
    responses = [{ status: 500, body: { success: 0, a: 1 } }, next];
    const service = client();
    const { entries } = await service.ask("any", () => service.create({}, options));
    const [entry] = entries;
    if (entry === undefined) throw new Error("there is no entry");
    const isRepeated = await service.repeats(entry);
    return { isRepeated, requests: arrived.length };
  }

  it("has the same status and shape", async () => {
    expect((await repeats({ status: 500, body: { success: 0, a: 2 } })).isRepeated).toBe(true);
    expect((await repeats({ status: 500, body: { success: 0, b: 1 } })).isRepeated).toBe(false);
    expect((await repeats({ status: 400, body: { success: 0, a: 1 } })).isRepeated).toBe(false);
  });

  it("is not known if there is no response", async () => {
    expect(await repeats(busy)).toEqual({ isRepeated: false, requests: 2 });
  });

  it("is not asked for with a wrong API token", async () => {
    expect(await repeats({ status: 500, body: { success: 0, a: 1 } }, { apiToken: null })).toEqual({
      isRepeated: false,
      requests: 1,
    });
  });
});

describe("the budget counts", () => {
  const groupsAfter = async (seen: SeenPart, send: (service: GroupClient) => Promise<unknown>) => {
    responses = [seen];
    const service = client({}, 1);
    await send(service).catch((error: unknown) => expect(error).toBeInstanceOf(NotDeterminable));
    return [service.budget.requests, service.budget.groups];
  };
  const create = (service: GroupClient) => service.create();

  it("a group that was created, or may have been", async () => {
    expect(await groupsAfter(success({}), create)).toEqual([1, 1]);
    expect(await groupsAfter(busy, create)).toEqual([1, 1]);
    expect(await groupsAfter({ body: "<p>" }, create)).toEqual([1, 1]);
    // The flag is wrong, which breaks a fact. It does not show that the group had existed.
    expect(await groupsAfter(success({}, { new_user_group: "true" }), create)).toEqual([1, 1]);
    expect(await groupsAfter(success({}, {}), create)).toEqual([1, 1]);
  });

  it("no group that was not", async () => {
    expect(await groupsAfter(rejected, create)).toEqual([1, 0]);
    expect(await groupsAfter(throttled, create)).toEqual([1, 0]);
    expect(await groupsAfter(success({}, { new_user_group: false }), create)).toEqual([1, 0]);
    for (const seen of [busy, rejected])
      expect(await groupsAfter(seen, (service) => service.rotate("token"))).toEqual([1, 0]);
  });

  it("no group for a request about one that exists", async () => {
    const service = client({}, 1);
    const { entries } = await service.ask("any", () => service.create());
    service.creation = entries[0];
    responses = [busy];
    await service.ask("any", () => service.lookUp());
    expect([service.budget.requests, service.budget.groups]).toEqual([2, 1]);
  });

  it("and no request is sent beyond it", async () => {
    const service = client();
    const { answer } = await service.budget.inPart("furtherRequests", () => {
      for (let n = 0; n < limits.requests; n++) service.budget.spend(false);
      return service.ask("any", () => service.create());
    });
    expect(answer).toEqual({
      why: "verify sends at most 150 requests",
    });
    expect(arrived).toEqual([]);
  });
});

describe("a response is not usable", () => {
  const whyOf = async (seen: SeenPart, path = "/api/user") => {
    responses = [seen];
    const service = client({}, 1);
    return (await service.ask("any", () => service.send("{}", { path }))).answer.why;
  };

  it.each([408, 425, 429, 502, 503, 504])("with the status %d", async (status) => {
    expect(await whyOf({ status, body: { success: 0 } })).toBe(
      `GET /api/user returned ${status}, after 1 attempt`,
    );
  });

  it("with Retry-After, if it is no success", async () => {
    const headers = { "Retry-After": "7" };
    const words = "GET /api/user returned 400 (Retry-After: 7), after 1 attempt";
    expect(await whyOf({ ...rejected, status: 400, headers })).toBe(words);
    expect(await whyOf({ ...success({}), headers })).toBeUndefined();
  });

  it("without JSON, if it is a success of the operations", async () => {
    expect(await whyOf({ status: 299, body: "<p>" })).toBe(
      "GET /api/user returned 299 without JSON, after 1 attempt",
    );
    expect(await whyOf({ status: 200, body: "<p>" }, "/other")).toBeUndefined();
    expect(await whyOf({ status: 302, body: "" })).toBeUndefined();
    expect(await whyOf({ status: 500, body: "<p>" })).toBeUndefined();
  });
});

it("what is shown has neither an API token nor a token of a group", async () => {
  responses = [success({ token: "token-of-a-group" })];
  const service = client({ secondApiToken: "second-token" });
  const text = "api-token second-token token-of-a-group";
  expect(service.secrets.show(text)).toBe("[secret] [secret] token-of-a-group");
  await service.create();
  expect(service.secrets.show(text)).toBe("[secret] [secret] [secret]");
});

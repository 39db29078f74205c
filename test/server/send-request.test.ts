import { describe, expect, it } from "vitest";
import { call, create } from "../call.js";
import { seededToken } from "../seeded.js";
import { unusedMethod } from "../unused-methods.js";
import { ownMock } from "../world/own-world.js";

const own = ownMock();

const send = (url: string, body: unknown) => call("POST", `${url}/__admin/requests`, body);

describe("POST /__admin/requests", () => {
  it("sends a request to the service, and returns its journal entry", async () => {
    const { status, body } = await send(own.mock.url, {
      operation: "get-or-create",
      body: { user_group_id: "acme", name: "Acme" },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 1, operation: "get-or-create", outcome: "success", effect: "created" });
    expect(await own.mock.requests()).toEqual([body]);
    expect(body.request.headers["usergroup-mock-sent-by"]).toMatch(/^admin-api /);
    expect((await own.mock.groups()).map(({ provided_id }) => provided_id)).toContain("acme");
  });

  it("stays in its world, whatever the path is", async () => {
    const world = own.mock.world("w3");
    await send(world.url, { operation: "rotate", body: { current_token: seededToken } });
    const { body } = await send(own.mock.url, {
      method: "GET",
      path: "/worlds/w3/api/user",
      body: { user_group_id: "acme", name: "Acme" },
    });
    expect(body).toMatchObject({ outcome: "failure", response: { status: 404 } });
    expect((await world.requests()).map(({ effect }) => effect)).toEqual(["rotated"]);
    await world.drop();
  });

  it("sends text, headers and method as given, without headers that are null", async () => {
    const text = '{"user_group_id":"a","user_group_id":"é"';
    const broken = await send(own.mock.url, {
      operation: "get-or-create",
      text,
      headers: { "X-Trace": "7" },
    });
    expect(broken.body).toMatchObject({
      request: { body: text, headers: { "x-trace": "7", "content-type": "application/json" } },
      response: { body: { error: { code: "invalid_json" } } },
    });
    const other = await send(own.mock.url, {
      operation: "get-or-create",
      headers: { AUTHORIZATION: "Token other-api-token" },
      body: { user_group_id: "acme", name: "Acme" },
    });
    expect(other.body.response.body.user_group.team_id).toBe(4);
    const without = await send(own.mock.url, { operation: "rotate", headers: { Authorization: null } });
    expect(without.body.response.status).toBe(401);
    const unsupported = await send(own.mock.url, { method: unusedMethod, path: "/api/user" });
    expect(unsupported.body.response.status).toBe(405);
  });

  it("returns what a fault did to the response", async () => {
    await own.mock.fault({ operation: "rotate", phase: "after", reset: true });
    const { body } = await send(own.mock.url, { operation: "rotate", body: { current_token: seededToken } });
    expect(body).toMatchObject({ outcome: "fault", effect: "rotated", delivery: "none", response: null });
  });

  it("aborts its request when its own client disconnects", async () => {
    await own.mock.fault({ delayMs: 60_000 });
    const impatient = new AbortController();
    const sending = fetch(`${own.mock.url}/__admin/requests`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ operation: "rotate", body: { current_token: seededToken } }),
      signal: impatient.signal,
    }).catch(() => {});
    await expect.poll(() => own.mock.requests({ outcome: "pending" })).toHaveLength(1);
    impatient.abort();
    await sending;
    await expect.poll(async () => (await own.mock.requests())[0]?.delivery).toBe("caller-left");
  });

  const isRequired = "is required without operation";
  it.each<[sent: object, problems: object]>([
    [{}, { "/method": isRequired, "/path": isRequired }],
    [
      { operation: "rotate", method: "GET", path: "/x" },
      { "/method": "cannot be combined with operation", "/path": "cannot be combined with operation" },
    ],
    [{ operation: "rotat" }, { "/operation": expect.stringMatching(/^must be /) }],
    [
      { method: "CONNECT", path: "/x" },
      { "/method": "must be an uppercase method, such as GET, but not CONNECT" },
    ],
    [{ method: "GET", path: "/x y" }, { "/path": "must be a path of the service, such as /api/user" }],
    ...["/__admin", "/__admin?x", "/__admin/state"].map((path): [object, object] => [
      { method: "GET", path },
      { "/path": "must be a path of the service, such as /api/user" },
    ]),
    [{ operation: "rotate", body: {}, text: "x" }, { "/text": "cannot be combined with body" }],
    ...["Host", "content-length", "transfer-encoding", "expect", "te", "Usergroup-Mock-Sent-By"].map(
      (name): [object, object] => [
        { operation: "rotate", headers: { [name]: "x" } },
        { [`/headers/${name}`]: "is set by the mock" },
      ],
    ),
    [{ operation: "rotate", headers: { a: 1 } }, { "/headers/a": expect.stringMatching(/^must be /) }],
    [{ operation: "rotate", boby: {} }, { "/boby": "is not a known field; did you mean body?" }],
  ])("names the errors in %j, and sends no request", async (sent, problems) => {
    const { status, body } = await send(own.mock.url, sent);
    expect([status, body.error.code]).toEqual([400, "invalid_request"]);
    const found = body.error.details.map(({ path, message }: Record<string, string>) => [path, message]);
    expect(Object.fromEntries(found)).toEqual(problems);
    expect(await own.mock.requests()).toEqual([]);
  });

  it("sends paths and headers that only resemble reserved ones", async () => {
    for (const path of ["/__administrator", "/x/__admin", "/api/user?/__admin"]) {
      const { body } = await send(own.mock.url, { method: "GET", path });
      expect(body.request).toMatchObject({ method: "GET", path });
    }
    const headers = { "x-host": "1", "host-name": "2", ate: "3", tea: "4", "x-usergroup-mock-sent-by": "5" };
    const { body } = await send(own.mock.url, { operation: "rotate", headers });
    expect(body.request.headers).toMatchObject(headers);
  });

  it("sends no Content-Type and Content-Length without a body", async () => {
    const { body } = await send(own.mock.url, { method: "GET", path: "/api/user" });
    const { headers } = body.request;
    expect([headers["content-type"], headers["content-length"], headers.authorization]).toEqual([
      undefined,
      undefined,
      "Token test-api-token",
    ]);
    const empty = await send(own.mock.url, { method: "POST", path: "/api/user", text: "" });
    expect(empty.body.request.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": "0",
    });
  });

  it("sets Content-Length to the bytes of the body", async () => {
    const { body } = await send(own.mock.url, {
      operation: "get-or-create",
      body: { user_group_id: "é😀", name: "ü" },
    });
    expect([body.outcome, body.request.body]).toEqual(["success", { user_group_id: "é😀", name: "ü" }]);
    const sent = Buffer.byteLength('{"user_group_id":"é😀","name":"ü"}');
    expect(body.request.headers["content-length"]).toBe(`${sent}`);
  });

  it("returns the entry of its own request after two resets", async () => {
    const held = await own.mock.hold({ operation: "rotate" });
    const sending = send(own.mock.url, { operation: "rotate", body: { current_token: seededToken } });
    await held.arrived();
    await create(own.mock.url, "later");
    // Both before the held request is completed.
    await Promise.all([own.mock.reset({ label: "kept though nothing happens" }), own.mock.reset()]);
    const { body } = await sending;
    expect(body).toMatchObject({ id: 1, operation: "rotate", request: { method: "POST" } });
    expect(body.request.headers.authorization).toBe("Token test-api-token");
    const [second = 0, first] = (await own.mock.history()).map(({ n }) => n);
    expect(second - 1).toBe(first);
  });

  it("fails with a message when the journal was cleared meanwhile", async () => {
    const held = await own.mock.hold();
    const sending = send(own.mock.url, { operation: "rotate", body: { current_token: seededToken } });
    await held.arrived();
    await own.mock.clearRequests();
    await held.release();
    const { status, body } = await sending;
    expect([status, body.error.code, body.error.message]).toEqual([
      400,
      "invalid_request",
      "The journal has no entry for this request: the mock responded with 200 before the request reached the world, or the journal was cleared.",
    ]);
  });

  it("fails with a message when the request reaches no world", async () => {
    const rejected = await send(own.mock.url, { method: "NONSENSE", path: "/api/user" });
    expect(rejected.status).toBe(400);
    expect(rejected.body.error.message).toMatch(
      /no entry for this request: the mock responded with 400 before the request reached/,
    );
  });

  it("fails with a message when a header cannot be sent", async () => {
    const rejected = await send(own.mock.url, { operation: "rotate", headers: { "a b": "x" } });
    expect(rejected.status).toBe(400);
    expect(rejected.body.error.message).toMatch(/no entry for this request: .*"a b"/);
  });
});

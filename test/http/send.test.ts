import { describe, expect, it, onTestFinished } from "vitest";
import { type MockOptions, startMock } from "../../src/index.js";
import { call, create, rotate } from "../call.js";
import { seededToken } from "../seeded.js";

const mockWith = async (options: MockOptions = {}) => {
  const mock = await startMock(options);
  onTestFinished(() => mock.stop());
  return mock;
};
const send = (url: string, body: unknown) => call("POST", `${url}/__admin/requests`, body);

describe("POST /__admin/requests", () => {
  it("makes a call like any other, and answers its journal entry", async () => {
    const mock = await mockWith();
    const { status, body } = await send(mock.url, {
      operation: "get-or-create",
      body: { user_group_id: "acme", name: "Acme" },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 1, operation: "get-or-create", outcome: "success", effect: "created" });
    expect(await mock.requests()).toEqual([body]);
    expect(body.request.headers["usergroup-mock-sent-by"]).toMatch(/^admin-api /);
    expect((await mock.groups()).map(({ provided_id }) => provided_id)).toContain("acme");
  });

  it("stays in its world, whatever the path says", async () => {
    const mock = await mockWith();
    const world = mock.world("w3");
    await send(world.url, { operation: "rotate", body: { current_token: seededToken } });
    const { body } = await send(mock.url, {
      method: "GET",
      path: "/worlds/w3/api/user",
      body: { user_group_id: "acme", name: "Acme" },
    });
    expect(body).toMatchObject({ outcome: "failure", response: { status: 404 } });
    expect((await world.requests()).map(({ effect }) => effect)).toEqual(["rotated"]);
  });

  it("sends text, headers and a method as they are given, and leaves out what is null", async () => {
    const mock = await mockWith();
    const text = '{"user_group_id":"a","user_group_id":"é"';
    const broken = await send(mock.url, { operation: "get-or-create", text, headers: { "X-Trace": "7" } });
    expect(broken.body).toMatchObject({
      request: { body: text, headers: { "x-trace": "7", "content-type": "application/json" } },
      response: { body: { error: { code: "invalid_json" } } },
    });
    const other = await send(mock.url, {
      operation: "get-or-create",
      headers: { AUTHORIZATION: "Token other-api-token" },
      body: { user_group_id: "acme", name: "Acme" },
    });
    expect(other.body.response.body.user_group.team_id).toBe(4);
    const without = await send(mock.url, { operation: "rotate", headers: { Authorization: null } });
    expect(without.body.response.status).toBe(401);
    const wrong = await send(mock.url, { method: "DELETE", path: "/api/user" });
    expect(wrong.body.response.status).toBe(405);
  });

  it("tells what a fault made of the answer", async () => {
    const mock = await mockWith();
    await mock.fault({ operation: "rotate", phase: "after", reset: true });
    const { body } = await send(mock.url, { operation: "rotate", body: { current_token: seededToken } });
    expect(body).toMatchObject({ outcome: "fault", effect: "rotated", delivery: "none", response: null });
  });

  it("ends with whoever asked for it: then its caller has left", async () => {
    const mock = await mockWith();
    await mock.fault({ dribble: true, delayMs: 60_000 });
    const impatient = new AbortController();
    const sending = fetch(`${mock.url}/__admin/requests`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ operation: "rotate", body: { current_token: seededToken } }),
      signal: impatient.signal,
    }).catch(() => {});
    await expect.poll(() => mock.requests({ outcome: "pending" })).toHaveLength(1);
    impatient.abort();
    await sending;
    await expect.poll(async () => (await mock.requests())[0]?.delivery).toBe("caller-left");
  });

  it("finds an entry that a reset has moved to the history", async () => {
    const mock = await mockWith();
    const held = await mock.hold();
    const sending = send(mock.url, { operation: "rotate", body: { current_token: seededToken } });
    await held.arrived;
    await mock.reset();
    expect((await sending).body).toMatchObject({ id: 1, operation: "rotate" });
  });

  it.each([
    [{}, ["/method", "/path"]],
    [{ method: "GET" }, ["/path"]],
    [{ operation: "rotate", method: "GET", path: "/x" }, ["/method", "/path"]],
    [{ operation: "rotat" }, ["/operation"]],
    [{ method: "get", path: "api" }, ["/method", "/path"]],
    [{ method: "CONNECT", path: "/x" }, ["/method"]],
    [{ method: "GET", path: "/__admin/state" }, ["/path"]],
    [{ method: "GET", path: "/x y" }, ["/path"]],
    [{ operation: "rotate", body: {}, text: "" }, ["/text"]],
    [
      { operation: "rotate", headers: { Host: "x", "Content-Length": "1" } },
      ["/headers/Host", "/headers/Content-Length"],
    ],
    [{ operation: "rotate", headers: { a: 1 } }, ["/headers/a"]],
    [{ operation: "rotate", boby: {} }, ["/boby"]],
  ])("refuses %j, and makes no call", async (body, places) => {
    const mock = await mockWith();
    const refused = await send(mock.url, body);
    expect(refused.status).toBe(400);
    expect(refused.body.error.details.map(({ path }: { path: string }) => path)).toEqual(places);
    expect(await mock.requests()).toEqual([]);
  });

  it("says when a call does not get as far as the world", async () => {
    const mock = await mockWith();
    const refused = await send(mock.url, { method: "NONSENSE", path: "/api/user" });
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toMatch(
      /no entry of this call: it was answered 400 before it reached/,
    );
  });

  it("says when a header cannot be sent", async () => {
    const mock = await mockWith();
    const refused = await send(mock.url, { operation: "rotate", headers: { "a b": "x" } });
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toMatch(/no entry of this call: .*"a b"/);
  });
});

describe("GET /__admin/failures", () => {
  const failures = async (url: string) => (await call("GET", `${url}/__admin/failures`)).body;

  it("lists what failed by world, epoch and cause, also of dropped worlds", async () => {
    const mock = await mockWith();
    await mock.reset({ label: "first test" });
    await rotate(mock.url, "b".repeat(64));
    await rotate(mock.url, "c".repeat(64));
    await create(mock.url, "fine");
    await mock.reset();
    await create(mock.url, "a", { name: 7 });
    const world = mock.world("w1");
    await rotate(world.url, seededToken);
    await rotate(world.url, seededToken);
    await world.drop();
    const { failures: found, left_off } = await failures(mock.url);
    expect(left_off).toBe(0);
    const brief = found.map(({ world, label, cause, count, last }: Record<string, unknown>) => [
      world,
      label,
      cause,
      count,
      last,
    ]);
    expect(brief).toEqual([
      ["w1", undefined, "unknown_token", 1, 2],
      ["default", undefined, "invalid_body", 1, 1],
      ["default", "first test", "unknown_token", 2, 2],
    ]);
    expect(found[0].why).toBe(
      "The answer was 404 unknown_token, and nothing happened in the world: current_token was rotated out by request 1.",
    );
    expect((await mock.worlds())[0]).toMatchObject({ name: "default", requests: 1, failures: 3 });
  });

  it("does not count what a fault broke on purpose, and brings no world to life", async () => {
    const mock = await mockWith();
    await mock.fault({ status: 503 });
    await create(mock.url);
    expect(await failures(`${mock.url}/worlds/w9`)).toEqual({ failures: [], left_off: 0 });
    expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });
});

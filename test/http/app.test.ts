import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectMock, type Mock, startMock } from "../../src/index.js";
import { call, create } from "../call.js";
import { exchange } from "./raw-socket.js";
import { chunk, request } from "./raw-table.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
// Drops every world; the default one begins anew.
beforeEach(() => call("DELETE", `${mock.url}/__admin/worlds`));
afterAll(() => mock.stop());

const names = async () => (await mock.worlds()).map(({ name }) => name);

describe("the path of a call", () => {
  it.each([
    ["/api/user?x=1", "/api/user?x=1"],
    ["/api/user?next=http://elsewhere/", "/api/user?next=http://elsewhere/"],
    ["/a#b", "/a%23b"],
    ["http://localhost/api/user?x=1", "/api/user?x=1"],
    ["http://localhost", "/"],
    ["http://localhost?x=1", "/?x=1"],
    ["*", "*"],
  ])("is in the journal without the host: %s", async (target, path) => {
    await exchange(mock.url, [request({ method: "OPTIONS", path: target, length: [], body: "" })]);
    expect((await mock.requests()).map((entry) => entry.request.path)).toEqual([path]);
  });

  it.each([
    ["", "/"],
    ["?x=1", "/?x=1"],
    ["/", "/"],
    ["/x/__admin/y", "/x/__admin/y"],
    ["/api/user", "/api/user"],
  ])("is in the journal of its world without the world: /worlds/w%s", async (below, path) => {
    await exchange(mock.url, [request({ path: `/worlds/w${below}` })]);
    expect(await names()).toEqual(["default", "w"]);
    expect((await mock.world("w").requests()).map((entry) => entry.request.path)).toEqual([path]);
  });

  it.each(["", "?x", "/", "/health", "/events/x", "/eventsx"])(
    "brings no world to life when it only looks: GET /worlds/w/__admin%s",
    async (below) => {
      await exchange(mock.url, [request({ path: `/worlds/w/__admin${below}`, length: [], body: "" })]);
      expect(await names()).toEqual(["default"]);
    },
  );
});

describe("the body of an admin call", () => {
  const send = async (parts: Parameters<typeof request>[0]) => {
    const [answer] = await exchange(mock.url, [request(parts)]);
    return [answer?.status, JSON.parse(answer?.body ?? "").error?.message];
  };

  it("may come in chunks", async () => {
    const body = `${chunk('{"status":503}')}0\r\n\r\n`;
    const path = "/__admin/faults";
    expect(await send({ method: "POST", path, length: ["Transfer-Encoding: chunked"], body })).toEqual([
      200,
      undefined,
    ]);
    expect(await mock.faults()).toMatchObject([{ status: 503 }]);
  });

  it("means nothing where none is asked for", async () => {
    expect(await send({ method: "DELETE", path: "/__admin/requests", body: "{" })).toEqual([200, undefined]);
    expect(await send({ path: "/__admin/health", type: "text/plain", body: "{" })).toEqual([200, undefined]);
  });

  it("that is too large is told what to do instead", async () => {
    const length = ["Content-Length: 10000001"];
    expect(await send({ method: "PUT", path: "/__admin/state", length, body: "" })).toEqual([
      413,
      "The body is over 10000000 bytes. Send less. A larger seed is a fixture: start with --fixtures.",
    ]);
  });
});

describe("the filter of an admin call", () => {
  it("takes the id of a group as text, also when it looks like a number", async () => {
    await create(mock.url, "42");
    await create(mock.url, "43");
    const { body } = await call("GET", `${mock.url}/__admin/requests?user_group_id=42&limit=5`);
    expect(body.requests).toMatchObject([{ id: 1 }]);
    expect(await (await connectMock(mock.url)).requests({ user_group_id: "43" })).toMatchObject([{ id: 2 }]);
  });
});

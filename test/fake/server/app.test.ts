import { describe, expect, it } from "vitest";
import { ownMock } from "../world/own-world.js";
import { exchange } from "./raw-socket.js";
import { chunk, request } from "./raw-table.js";

const own = ownMock();

const names = async () => (await own.mock.worlds()).map(({ name }) => name);

describe("path of a request", () => {
  it.each([
    ["/api/user?x=1", "/api/user?x=1", 204],
    ["/a#b", "/a#b", 404],
    ["http://me:secret@localhost/api/user?x=1", "/api/user?x=1", 204],
    ["http://localhost", "/", 404],
    ["*", "*", 404],
  ])("is in the journal without host and password: %s", async (target, path, status) => {
    await exchange(own.mock.url, [request({ method: "OPTIONS", path: target, length: [], body: "" })]);
    const entries = await own.mock.requests();
    expect(entries.map((entry) => [entry.request.path, entry.response?.status])).toEqual([[path, status]]);
  });

  it.each([
    ["", "/"],
    ["?x=1", "/?x=1"],
    ["/", "/"],
    ["/x/__admin/y", "/x/__admin/y"],
    ["/api/user", "/api/user"],
  ])("is in the journal of its world without the world: /worlds/w%s", async (below, path) => {
    await exchange(own.mock.url, [request({ path: `/worlds/w${below}` })]);
    expect(await names()).toEqual(["default", "w"]);
    expect((await own.mock.world("w").requests()).map((entry) => entry.request.path)).toEqual([path]);
  });

  it.each(["", "?x", "/", "/health", "/health/x", "/healthx"])(
    "creates no world: GET /worlds/w/__admin%s",
    async (below) => {
      await exchange(own.mock.url, [request({ path: `/worlds/w/__admin${below}`, length: [], body: "" })]);
      expect(await names()).toEqual(["default"]);
    },
  );
});

describe("body of an admin request", () => {
  const send = async (parts: Parameters<typeof request>[0]) => {
    const [response] = await exchange(own.mock.url, [request(parts)]);
    return [response?.status, JSON.parse(response?.body ?? "").error?.message];
  };

  it("may be chunked", async () => {
    const body = `${chunk('{"status":503}')}0\r\n\r\n`;
    const path = "/__admin/faults";
    expect(await send({ method: "POST", path, length: ["Transfer-Encoding: chunked"], body })).toEqual([
      200,
      undefined,
    ]);
    expect(await own.mock.faults()).toMatchObject([{ status: 503 }]);
  });

  it("is ignored by GET and DELETE", async () => {
    expect(await send({ method: "DELETE", path: "/__admin/requests", body: "{" })).toEqual([200, undefined]);
    expect(await send({ path: "/__admin/health", type: "text/plain", body: "{" })).toEqual([200, undefined]);
  });

  it("is rejected with what to do if it is too large", async () => {
    const length = ["Content-Length: 10000001"];
    expect(await send({ method: "PUT", path: "/__admin/state", length, body: "" })).toEqual([
      413,
      "The body is over 10000000 bytes. Send a smaller body. For a larger seed, start with --fixtures.",
    ]);
  });
});

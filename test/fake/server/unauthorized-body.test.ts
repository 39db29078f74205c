import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { call, create, getOrCreate, rotate } from "../../call.js";
import { seededToken } from "../../seeded.js";
import { ownMock } from "../world/own-world.js";
import { exchange } from "./raw-socket.js";
import { request } from "./raw-table.js";

const own = ownMock({ bodyLimit: 1_000 });

const apiToken = "unknown";

describe("body of a request with an unknown API token", () => {
  it("is in the journal, character by character", async () => {
    const sent = '{ "user_group_id": "a",  "name": 1.0 }';
    expect((await getOrCreate(own.mock.url, sent, { apiToken })).status).toBe(401);
    const [entry] = await own.mock.requests();
    expect(entry?.request.body).toEqual({ user_group_id: "a", name: 1 });
    const { body } = await call("GET", `${own.mock.url}/__admin/requests/1/body`);
    expect(body.request).toBe(sent);
  });

  it("has foreign tokens masked", async () => {
    const foreign = "e".repeat(64);
    const ofOtherWorld = (await create(own.mock.world("other").url, "a")).body.user_group.token;
    await rotate(own.mock.url, seededToken, { apiToken });
    await rotate(own.mock.url, foreign, { apiToken });
    await rotate(own.mock.url, ofOtherWorld, { apiToken });
    const bodies = (await own.mock.requests()).map(({ request }) => request.body);
    expect(bodies).toEqual([
      { current_token: seededToken },
      { current_token: "********eeee" },
      { current_token: `********${ofOtherWorld.slice(-4)}` },
    ]);
  });

  it("is in the journal if it is compressed, and gets 401 if it cannot be inflated", async () => {
    const sent = { user_group_id: "a" };
    const [head, body] = ["Content-Encoding: gzip", gzipSync(JSON.stringify(sent))];
    const authorization = `Token ${apiToken}`;
    for (const bytes of [body, body.subarray(0, -9)]) {
      const [response] = await exchange(own.mock.url, [
        request({ authorization, more: [head], body: bytes }),
      ]);
      expect(response?.status).toBe(401);
    }
    expect((await own.mock.requests()).map(({ request }) => request.body)).toEqual([sent, null]);
  });
});

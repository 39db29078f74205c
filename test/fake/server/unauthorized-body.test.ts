import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/index.js";
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

  it("fills placeholders of a profile with what the journal shows of it", async () => {
    const body = {
      success: 0,
      sent: "{current_token}",
      text: "{current_token} of {name}",
      all: "{properties}",
    };
    await using mock = await startMock({ profile: { situations: { "no API token": { body } } } });
    const secret = "sk-live-0123456789abcdef";
    const sent = { current_token: secret, name: "Acme", properties: { password: secret, plan: "free" } };
    const response = await call("POST", `${mock.url}/api/user`, sent, { apiToken });
    const shown = {
      success: 0,
      sent: "********cdef",
      text: "********cdef of Acme",
      all: { password: "********cdef", plan: "free" },
    };
    expect([response.status, response.body]).toEqual([401, shown]);
    const report = join(mkdtempSync(join(tmpdir(), "usergroup-mock-masked-")), "report.html");
    await mock.saveReport(report);
    const [entry] = await mock.requests();
    expect([entry?.response?.body, readFileSync(report, "utf8").includes(secret)]).toEqual([shown, false]);
    // With a right API token, it is what was sent.
    const profile = { situations: { "current_token: unknown": { body } } };
    await using other = await startMock({ profile });
    expect((await rotate(other.url, secret)).body.sent).toBe(secret);
  });

  it("gets 401 and a mask also if it has 8 MB", async () => {
    await using mock = await startMock({ bodyLimit: 20_000_000 });
    for (const long of ["x".repeat(8_000_000), '\\"'.repeat(3_000_000), "a ".repeat(4_000_000)]) {
      const sent = `{"name":"${long}","current_token":"${long}"}`;
      expect((await call("POST", `${mock.url}/api/user`, sent, { apiToken })).status).toBe(401);
    }
    const tokens = (await mock.requests()).map(({ request }) => Object(request.body).current_token);
    expect(tokens).toEqual(["********xxxx", expect.stringMatching(/^\*{8}/), "********"]);
  });

  it("gets 401 also in an encoding that is not supported", async () => {
    const headers = { "Content-Encoding": "zstd" };
    expect((await call("POST", `${own.mock.url}/api/user`, "{}", { apiToken, headers })).status).toBe(401);
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

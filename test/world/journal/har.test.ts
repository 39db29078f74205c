import { connect } from "node:net";
import { har as validateHar } from "har-validator";
import { describe, expect, it } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { startMock } from "../../../src/mock/start-mock.js";
import type { World } from "../../../src/mock/world.js";
import { harOf } from "../../../src/world/journal/har.js";
import type { Journal } from "../../../src/world/journal/journal.js";
import type { Delivered, PlannedResponse } from "../../../src/world/planned-response.js";
import { call, getOrCreate, rotate } from "../../call.js";
import { bothWays } from "../both-ways.js";
import { openEntry, succeeded, whole, worldsInProcess } from "../in-process.js";
import { ownWorld } from "../own-world.js";
import { watchCreate } from "../watched-call.js";

interface HarMessage {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly bodySize: number;
  readonly httpVersion: string;
}

interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: HarMessage & {
    readonly method: string;
    readonly url: string;
    readonly queryString: readonly object[];
    readonly postData?: { readonly mimeType: string; readonly text: string };
  };
  readonly response: HarMessage & {
    readonly status: number;
    readonly _error?: string;
    readonly content: { readonly size: number; readonly mimeType: string; readonly text: string };
  };
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
  readonly comment: string;
}

interface Har {
  readonly log: { readonly creator: object; readonly entries: readonly HarEntry[] };
}

/** The HAR export, checked by har-validator. */
async function archiveOf(world: World): Promise<Har> {
  const archive = await world.har();
  await validateHar(archive);
  return archive as Har;
}

describe.each(bothWays)("the HAR export (%s)", (_, steer) => {
  const own = ownWorld(steer);

  it("is valid with and without requests", async () => {
    expect((await archiveOf(own.world)).log).toMatchObject({
      version: "1.2",
      creator: { name: "usergroup-mock", version: packageJson.version },
      entries: [],
    });
  });

  it("is valid for every kind of request and ending", async () => {
    const { url } = own.world;
    await getOrCreate(url, { user_group_id: "ü", name: "😀" });
    await rotate(url, "unheard-of");
    await getOrCreate(url, "{ no JSON");
    await getOrCreate(url, undefined);
    await getOrCreate(url, {}, { apiToken: "unheard-of", headers: { Cookie: "a=1; b=2" } });
    await call("OPTIONS", `${url}/api/user`);
    await call("GET", `${url}/nowhere?a=1&a=2&b=%20`);
    const effects = [
      { status: 503 },
      { truncate: true },
      { malformed: true },
      { reset: true },
      { empty: true },
    ];
    for (const effect of effects as { reset: true }[]) {
      await own.world.fault(effect);
      await watchCreate(url, "new");
    }
    const held = await own.world.hold();
    const waiting = watchCreate(url, "new");
    await held.arrived;
    const { entries } = (await archiveOf(own.world)).log;
    expect(entries.map(({ response }) => response.status)).toEqual([
      200, 404, 400, 400, 401, 204, 404, 503, 200, 200, 0, 0, 0,
    ]);
    expect(entries.slice(-6).map(({ response }) => response._error)).toEqual([
      undefined,
      "net::ERR_CONTENT_LENGTH_MISMATCH",
      undefined,
      "net::ERR_CONNECTION_RESET",
      "net::ERR_EMPTY_RESPONSE",
      "pending",
    ]);
    for (const { time, timings } of entries) {
      expect(timings.send + timings.wait + timings.receive).toBe(time);
    }
    await held.release();
    await waiting;
  });

  it("shows request, response and notes", async () => {
    const sent = { user_group_id: "example_1", name: "😀" };
    const { body } = await call("GET", `${own.world.url}/api/user?x=1&x=2`, sent);
    const [entry] = (await archiveOf(own.world)).log.entries;
    const [journaled] = await own.world.requests();
    expect(entry).toMatchObject({
      startedDateTime: journaled?.at,
      time: journaled?.durationMs,
      request: {
        method: "GET",
        queryString: [
          { name: "x", value: "1" },
          { name: "x", value: "2" },
        ],
        postData: { mimeType: "application/json", text: JSON.stringify(sent) },
        bodySize: Buffer.byteLength(JSON.stringify(sent)),
      },
      response: {
        status: 200,
        content: {
          mimeType: "application/json; charset=utf-8",
          text: JSON.stringify(body),
          size: Buffer.byteLength(JSON.stringify(body)),
        },
      },
      comment: "request 1; the group exists and was not changed; this request differs in name",
    });
    expect(entry?.request.headers).toContainEqual({ name: "content-type", value: "application/json" });
    expect(entry?.response.headers).toContainEqual({ name: "usergroup-mock-request", value: "1" });
  });

  it("has defaults for fields that a request does not have", async () => {
    const type = "application/json; charset=utf-8";
    await call("OPTIONS", `${own.world.url}/api/user`);
    await getOrCreate(own.world.url, { user_group_id: "example_1" }, { headers: { "Content-Type": type } });
    const [without, whole] = (await archiveOf(own.world)).log.entries;
    expect(without?.request).not.toHaveProperty("postData");
    expect(without?.response).toMatchObject({
      status: 204,
      statusText: "",
      httpVersion: "HTTP/1.1",
      redirectURL: "",
      content: { size: 0, mimeType: "x-unknown", text: "" },
    });
    expect(whole?.request).toMatchObject({ httpVersion: "HTTP/1.1", postData: { mimeType: type } });
    expect(whole?.response.content.mimeType).toBe(type);
  });

  it("uses JSON as the type of a body without a type", async () => {
    await own.world.assume({ "content-type": "accepted" });
    const [text, headers] = ['{"current_token":"unheard-of"}', { Authorization: "Token test-api-token" }];
    await fetch(`${own.world.url}/api/user`, { method: "POST", headers, body: Buffer.from(text) });
    const [entry] = (await archiveOf(own.world)).log.entries;
    expect(entry?.request.postData).toEqual({ mimeType: "application/json", text });
  });

  it("has the requested URLs, with the world in them", async () => {
    await getOrCreate(own.world.url, { user_group_id: "new", name: "New" });
    await call("GET", `${own.world.url}/nowhere?a=1`);
    const urls = (await archiveOf(own.world)).log.entries.map(({ request }) => request.url);
    expect(urls).toEqual([`${own.world.url}/api/user`, `${own.world.url}/nowhere?a=1`]);
  });

  it.each(["//", "//evil.test/api/user", "/\\", "/%zz?%zz"])(
    "has a URL of this world for a request with the unusual path %s",
    async (path) => {
      expect(await statusOf(own.mock.url, `${new URL(own.world.url).pathname}${path}`)).toBe(404);
      const urls = (await archiveOf(own.world)).log.entries.map(({ request }) => request.url);
      expect(urls).toEqual([expect.stringContaining(`${own.world.url}/`)]);
    },
  );

  it.each([
    ["no Host, in HTTP/1.0", "HTTP/1.0", ""],
    ["a Host that is not part of a URL", "HTTP/1.1", "Host: a%zz\r\n"],
  ])("has URLs of localhost when it is requested with %s", async (_what, version, host) => {
    await using mock = await startMock({ allowHost: "a%zz" });
    await getOrCreate(mock.url, { user_group_id: "example_1" });
    const { hostname, port } = new URL(mock.url);
    const socket = connect(Number(port), hostname);
    socket.end(`GET /__admin/requests.har ${version}\r\n${host}Connection: close\r\n\r\n`);
    const response = Buffer.concat(await socket.toArray()).toString();
    const { log } = JSON.parse(response.slice(response.indexOf("\r\n\r\n"))) as Har;
    expect(log.entries.map(({ request }) => request.url)).toEqual(["http://localhost/api/user"]);
  });

  it.each([
    ["*", 1],
    ["http://elsewhere.test/nowhere", 1],
    ["http://127.0.0.1/nowhere?x=1", 1],
  ])("is valid if the target of a request was not a path: %s", async (target, expected) => {
    await own.mock.reset();
    expect(await statusOf(own.mock.url, target)).toBeGreaterThanOrEqual(400);
    expect((await archiveOf(await steer(own.mock))).log.entries).toHaveLength(expected);
  });
});

describe("an entry of the HAR export", () => {
  const archived = async (act: (journal: Journal) => void) => {
    const world = (await worldsInProcess()).enter("a");
    act(world.epoch.journal);
    const archive: object = harOf(world.epoch, "http://localhost:1/worlds/a", "1.2.3");
    return (archive as Har).log.entries;
  };

  it("has every field of the format", async () => {
    const [entry, ...more] = await archived((journal) => {
      const entry = openEntry(journal, { path: "/api/user?x=ü", headers: { "x-a": "1" } });
      entry.text = "é";
      entry.note("first", "second");
      entry.disconnectedMs = 30;
      journal.close(entry, { status: 201, body: "ü" }, { ...whole(4), receiveMs: 10 });
    });
    expect(more).toEqual([]);
    expect(entry).toStrictEqual({
      startedDateTime: expect.any(String),
      time: 30,
      request: {
        method: "GET",
        url: "http://localhost:1/worlds/a/api/user?x=%C3%BC",
        httpVersion: "HTTP/1.1",
        cookies: [],
        headers: [{ name: "x-a", value: "1" }],
        queryString: [{ name: "x", value: "ü" }],
        headersSize: -1,
        bodySize: 2,
        postData: { mimeType: "application/json", text: "é" },
      },
      response: {
        status: 201,
        statusText: "",
        httpVersion: "HTTP/1.1",
        cookies: [],
        headers: [{ name: "content-length", value: "4" }],
        content: { size: 4, mimeType: "x-unknown", text: '"ü"' },
        redirectURL: "",
        headersSize: -1,
        bodySize: 4,
      },
      cache: {},
      timings: { send: 0, wait: 20, receive: 10 },
      comment: "request 1; first; second",
    });
  });

  it("never has a receive time above the total time", async () => {
    const [entry] = await archived((journal) => {
      const entry = openEntry(journal);
      entry.disconnectedMs = 3;
      journal.close(entry, succeeded, { ...whole(), receiveMs: 10 });
    });
    expect(entry).toMatchObject({ time: 3, timings: { send: 0, wait: 0, receive: 3 } });
  });

  it("has the reason if there is no response", async () => {
    const entries = await archived((journal) => {
      const close = (...[response, delivered]: [PlannedResponse | undefined, Delivered]) =>
        journal.close(openEntry(journal), response, delivered);
      close({ ...succeeded, fault: "reset" }, { delivery: "none" });
      close({ ...succeeded, fault: "empty" }, { delivery: "none" });
      close(undefined, { delivery: "caller-left" });
      close(succeeded, { ...whole(), delivery: "cut", sentText: "abc" });
      openEntry(journal);
    });
    const seen = entries.map(({ response }) => {
      const { status, httpVersion, bodySize, headers, content, _error } = response;
      return [_error, status, httpVersion, bodySize, headers.length, content.text];
    });
    expect(seen).toEqual([
      ["net::ERR_CONNECTION_RESET", 0, "", -1, 0, ""],
      ["net::ERR_EMPTY_RESPONSE", 0, "", -1, 0, ""],
      ["net::ERR_ABORTED", 0, "", -1, 0, ""],
      ["net::ERR_CONTENT_LENGTH_MISMATCH", 200, "HTTP/1.1", 3, 1, "abc"],
      ["pending", 0, "", -1, 0, ""],
    ]);
    expect(entries[0]?.request).not.toHaveProperty("postData");
    expect(entries[0]?.request.bodySize).toBe(0);
  });

  it("has the time until now of a pending request", async () => {
    let began = 0;
    const [entry] = await archived((journal) => {
      began = openEntry(journal).began;
    });
    expect(entry?.time).toBeGreaterThan(0);
    expect(entry?.time).toBeLessThanOrEqual(performance.now() - began + 0.001);
  });
});

/** The status of a request with this exact target. */
async function statusOf(url: string, target: string): Promise<number> {
  const { host, hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.end(`OPTIONS ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const response = Buffer.concat(await socket.toArray()).toString();
  return Number(/^HTTP\/1\.1 (\d+) /.exec(response)?.[1]);
}

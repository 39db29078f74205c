import { describe, expect, it, onTestFinished } from "vitest";
import { defaultAssumptions } from "../../src/contract/assumptions.js";
import { startMock } from "../../src/index.js";
import { sendResponse } from "../../src/server/send-response.js";
import { Decisions } from "../../src/service/decisions.js";
import { Entry } from "../../src/world/journal/journal.js";
import { getOrCreate } from "../call.js";
import { exchange } from "./raw-socket.js";
import { request } from "./raw-table.js";

describe("Date header", () => {
  it("is the time of the clock, to the second, and is renewed", async () => {
    const mock = await startMock();
    onTestFinished(() => mock.stop());
    const dateOf = async () => {
      const { headers } = await getOrCreate(mock.url, { user_group_id: "example_1" });
      return String(headers.date);
    };
    const before = Math.floor(Date.now() / 1_000);
    const first = await dateOf();
    const after = Math.floor(Date.now() / 1_000);
    expect(new Date(first).toUTCString()).toBe(first);
    expect(Date.parse(first) / 1_000).toBeGreaterThanOrEqual(before);
    expect(Date.parse(first) / 1_000).toBeLessThanOrEqual(after);
    await expect.poll(dateOf, { timeout: 10_000 }).not.toBe(first);
  });
});

describe("Connection header in the journal", () => {
  it("is close if the server is stopping", () => {
    const res = Object.assign(Object.create(null), {
      req: { method: "GET", complete: true, socket: { writable: true } },
      shouldKeepAlive: true,
      getHeader: (name: string) => (name === "Connection" ? "close" : undefined),
      writeHead: () => {},
      end: () => {},
    });
    const head = { method: "GET", path: "/", headers: {}, size: 0 };
    const entry = new Entry(1, head, new Decisions(defaultAssumptions, new Set()));
    const sent: unknown[] = [];
    sendResponse(res, { status: 200, body: {} }, entry, ({ headers }) => sent.push(headers?.Connection));
    expect(sent).toEqual(["close"]);
  });

  it.each([
    ["keep-alive", { close: false }, { keptOpen: true }],
    ["close", { close: true }, {}],
  ])("is the one of the response: %s", async (connection, parts, options) => {
    const mock = await startMock();
    onTestFinished(() => mock.stop());
    const [response] = await exchange(mock.url, [request(parts)], options);
    const [entry] = await mock.requests();
    expect(response?.headers.connection).toBe(connection);
    expect(entry?.response?.headers).toEqual(response?.headers);
  });

  it.each([
    ["keep-alive", "after a failure", { path: "/nowhere", close: false }, { keptOpen: true }],
    ["keep-alive", "after an invalid body", { body: "[]", close: false }, { keptOpen: true }],
    ["close", "after a GET without a length", { length: [], body: "", close: false }, {}],
    ["close", "after a body that is too large", { length: ["Content-Length: 999999999"], close: false }, {}],
  ])("is %s %s", async (connection, _, parts, options) => {
    const mock = await startMock();
    onTestFinished(() => mock.stop());
    const [response] = await exchange(mock.url, [request(parts)], options);
    expect(response?.headers.connection).toBe(connection);
  });
});

import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectionOf, httpDate } from "../../src/http/own-headers.js";
import { startMock } from "../../src/index.js";
import { getOrCreate } from "../call.js";
import { exchange } from "./raw-socket.js";
import { request } from "./raw-table.js";

describe("the Date header", () => {
  it("is the time of the clock, to the second", () => {
    const before = Math.floor(Date.now() / 1_000);
    const date = httpDate();
    const after = Math.floor(Date.now() / 1_000);
    expect(new Date(date).toUTCString()).toBe(date);
    expect(Date.parse(date) / 1_000).toBeGreaterThanOrEqual(before);
    expect(Date.parse(date) / 1_000).toBeLessThanOrEqual(after);
  });

  it("is renewed when a second has passed", async () => {
    const mock = await startMock();
    onTestFinished(() => mock.stop());
    const dateOf = async () => (await getOrCreate(mock.url, { user_group_id: "example_1" })).headers.date;
    const first = await dateOf();
    await expect.poll(dateOf, { timeout: 10_000 }).not.toBe(first);
  });
});

describe("the Connection header in the journal", () => {
  const answering = (shouldKeepAlive: boolean, set?: string) =>
    ({
      shouldKeepAlive,
      getHeader: (name: string) => (name === "Connection" ? set : undefined),
    }) as ServerResponse;

  it.each([
    ["what the caller can do", answering(true), {}, "keep-alive"],
    ["what the caller asks for", answering(false), {}, "close"],
    ["what a stop of the server asks for", answering(true, "close"), {}, "close"],
    ["what the answer asks for, before all", answering(true, "close"), { Connection: "x" }, "x"],
  ])("is %s", (_, res, headers, connection) => {
    expect(connectionOf(res, headers)).toBe(connection);
  });

  it.each([
    ["keep-alive", { close: false }, { keptOpen: true }],
    ["close", { close: true }, {}],
  ])("is what went over the wire: %s", async (connection, parts, options) => {
    const mock = await startMock();
    onTestFinished(() => mock.stop());
    const [answer] = await exchange(mock.url, [request(parts)], options);
    const [entry] = await mock.requests();
    expect(answer?.headers.connection).toBe(connection);
    expect(entry?.response?.headers).toEqual(answer?.headers);
  });

  it.each([
    ["keep-alive", "after a failure", { path: "/nowhere", close: false }, { keptOpen: true }],
    ["keep-alive", "after a wrong body", { body: "[]", close: false }, { keptOpen: true }],
    ["close", "after a GET whose body may yet come", { length: [], body: "", close: false }, {}],
    ["close", "after a body that is too long", { length: ["Content-Length: 999999999"], close: false }, {}],
  ])("is %s %s", async (connection, _, parts, options) => {
    const mock = await startMock();
    onTestFinished(() => mock.stop());
    const [answer] = await exchange(mock.url, [request(parts)], options);
    expect(answer?.headers.connection).toBe(connection);
  });
});

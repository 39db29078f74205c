import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type GetOrCreateResponse, type Mock, startMock } from "../../../src/index.js";
import { call } from "../../call.js";
import { exchange, type RawOptions, type RawResponse } from "./raw-socket.js";

/** What is sent, byte for byte, and what has to come back. By default, no group is created. */
export interface Row extends RawOptions {
  readonly parts: readonly (string | Buffer)[];
  /** Of the only response, or of each. */
  readonly status: number | readonly number[];
  readonly code?: string | undefined;
  /** Rejected by the HTTP parser: a status line, and the connection is closed. */
  readonly isNotHttp?: true;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly created?: number;
}

export const example = { user_group_id: "raw", name: "Raw" };
export const json = JSON.stringify(example);

let mock: Mock;
let seeded: number;
/** What the mock has written to standard output and standard error. */
let printed = "";

/** What no mock may print: tokens, API tokens, stacks. */
const secret = /[0-9a-f]{64}|test-api-token|Token (?!<api token>)|\n +at /;

/** A mock for all tests of a file, reset before each. */
export function serveRows(): () => Mock {
  const outputs = [process.stdout, process.stderr];
  beforeAll(async () => {
    for (const stream of outputs) {
      vi.spyOn(stream, "write").mockImplementation((text) => {
        printed += text;
        return true;
      });
    }
    mock = await startMock({ log: "json" });
    seeded = (await mock.health()).groups;
  });
  beforeEach(() => mock.reset());
  afterAll(async () => {
    for (const stream of outputs) vi.mocked(stream.write).mockRestore();
    await mock.stop();
  });
  it("requests are logged, so that the checks for secrets in the log can fail", async () => {
    await ask(json);
    expect(printed).toContain('"path":"/api/user"');
  });
  return () => mock;
}

/** One test for each row. */
export function checkAll(table: Readonly<Record<string, Row>>): void {
  it.for(Object.entries(table))("%s", async ([, row]) => {
    expectRow(await exchange(mock.url, row.parts, row), row);
    await expectUnharmed(row.created ?? 0);
  });
}

export function expectRow(responses: readonly RawResponse[], row: Row): void {
  expect(responses.map(({ status }) => status)).toEqual([row.status].flat());
  for (const each of responses) expectNoPage(each);
  if (typeof row.status !== "number") return;
  const [response] = responses;
  if (row.isNotHttp) {
    expect(response).toEqual({ status: row.status, headers: { connection: "close" }, body: "" });
    return;
  }
  const body = JSON.parse(response?.body ?? "");
  if (row.code !== undefined) {
    expect(body.error).toMatchObject({ code: row.code, message: expect.stringMatching(/\.$/) });
  }
  expect(body.success).toBe(row.code === undefined ? 1 : 0);
  expect(response?.headers["usergroup-mock-request"]).toMatch(/^\d+$/);
  expect(response?.headers).toMatchObject(row.headers ?? {});
}

export function expectNoPage(response: RawResponse | undefined): void {
  expect(response?.headers["content-type"] ?? "application/json").toMatch(/^application\/json\b/);
  expect(response?.body).not.toMatch(/^\s*</);
  expect(response?.body).not.toMatch(/\bat .+:\d+:\d+|node_modules(?!\/usergroup-mock\/docs\/)|file:\/\//);
}

export async function expectUnharmed(created: number): Promise<void> {
  const health = await call("GET", `${mock.url}/__admin/health`);
  expect(health).toMatchObject({ status: 200, body: { status: "ok", groups: seeded + created } });
  const text = printed;
  // A row that prints a secret must not fail those after it.
  printed = "";
  expect(text).not.toMatch(secret);
}

/** Sends a request that succeeds, and returns its response. */
export async function ask(body: string | Buffer): Promise<GetOrCreateResponse> {
  const parts = [request({ body })];
  const responses = await exchange(mock.url, parts);
  expectRow(responses, { parts, status: 200 });
  return JSON.parse(responses[0]?.body ?? "");
}

interface RequestParts {
  readonly method?: string;
  readonly path?: string;
  readonly authorization?: string | undefined;
  readonly type?: string | undefined;
  /** The headers for the length of the body. */
  readonly length?: readonly string[];
  readonly more?: readonly string[];
  readonly body?: string | Buffer;
  /** Whether to send Connection: close. Without it, the server has to close the connection by itself. */
  readonly close?: boolean;
}

/** A valid request, apart from the given parts. */
export function request(parts: RequestParts): Buffer {
  const { method = "GET", path = "/api/user", more = [], body = json, close = true } = parts;
  const { authorization, type } = {
    authorization: "Token test-api-token",
    type: "application/json",
    ...parts,
  };
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ...(parts.length ?? [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...(close ? ["Connection: close"] : []),
    ...more,
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), Buffer.from(body)]);
}

export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

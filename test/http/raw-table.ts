import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type GetOrCreateResponse, type Mock, startMock } from "../../src/index.js";
import { call } from "../call.js";
import { exchange, type RawAnswer, type RawOptions } from "./raw-socket.js";

/** What is sent, byte for byte, and what has to come back. Where nothing is said, no group was created. */
export interface Row extends RawOptions {
  readonly parts: readonly (string | Buffer)[];
  readonly status: number;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly created?: number;
}

export const example = { user_group_id: "raw", name: "Raw" };
export const json = JSON.stringify(example);

let mock: Mock;
let seeded: number;
/** What the mock has written to standard output and standard error. */
let printed = "";

/** A mock for all tests of a file, fresh for each. */
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
  it("is logged, so that what is looked for in the log could be there", async () => {
    await ask(json);
    expect(printed).toContain('"path":"/api/user"');
  });
  return () => mock;
}

/** One test a row. */
export function checkAll(table: Readonly<Record<string, Row>>): void {
  it.for(Object.entries(table))("%s", async ([, row]) => {
    expectRow(await exchange(mock.url, row.parts, row), row);
    await expectUnharmed(row.created ?? 0);
  });
}

export function expectRow(answers: readonly RawAnswer[], row: Row): void {
  expect(answers.map(({ status }) => status)).toEqual([row.status]);
  const [answer] = answers;
  expectNoPage(answer);
  const body = JSON.parse(answer?.body ?? "");
  if (row.code !== undefined) {
    expect(body.error).toMatchObject({ code: row.code, message: expect.stringMatching(/\.$/) });
  }
  // What never became a call is no answer of the service, and has no place in the journal.
  if (row.code === "invalid_http") expect(answer?.headers.connection).toBe("close");
  else {
    expect(body.success).toBe(row.code === undefined ? 1 : 0);
    expect(answer?.headers["usergroup-mock-request"]).toMatch(/^\d+$/);
  }
  expect(answer?.headers).toMatchObject(row.headers ?? {});
}

export function expectNoPage(answer: RawAnswer | undefined): void {
  expect(answer?.headers["content-type"] ?? "application/json").toMatch(/^application\/json\b/);
  expect(answer?.body).not.toMatch(/^\s*</);
  expect(answer?.body).not.toMatch(/\bat .+:\d+:\d+|node_modules|file:\/\//);
}

export async function expectUnharmed(created: number): Promise<void> {
  const health = await call("GET", `${mock.url}/__admin/health`);
  expect(health).toMatchObject({ status: 200, body: { status: "ok", groups: seeded + created } });
  expect(printed).not.toMatch(/[0-9a-f]{64}|test-api-token|Token |\n +at /);
}

/** A call that succeeds, and its answer. */
export async function ask(body: string | Buffer): Promise<GetOrCreateResponse> {
  const parts = [request({ body })];
  const answers = await exchange(mock.url, parts);
  expectRow(answers, { parts, status: 200 });
  return JSON.parse(answers[0]?.body ?? "");
}

interface RequestParts {
  readonly method?: string;
  readonly path?: string;
  readonly authorization?: string | undefined;
  readonly type?: string | undefined;
  /** The headers that say how long the body is. */
  readonly length?: readonly string[];
  readonly more?: readonly string[];
  readonly body?: string | Buffer;
  /** Whether we ask for the close; where we do not, it has to be the server that wants it. */
  readonly close?: boolean;
}

/** A good call but for what is said. */
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

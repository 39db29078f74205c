import { Agent, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Mock, startMock } from "../../../src/index.js";
import { call } from "../../call.js";
import { draws } from "../../long.js";
import { exchange, turns } from "./raw-socket.js";

/** Enough to close the connection at every stage: the response races with the body. */
const repetitions = draws(30, 200);

const body = JSON.stringify({ user_group_id: "unframed", name: "Never arrives" });
const headers = { Authorization: "Token test-api-token", "Content-Type": "application/json" };

let mock: Mock;
let groups: number;

beforeAll(async () => {
  mock = await startMock();
  ({ groups } = await mock.health());
});
afterAll(() => mock.stop());

describe("a GET with a body but without Content-Length and Transfer-Encoding, as node:http sends it", () => {
  it.for<readonly [string, () => Agent | false]>([
    ["on separate connections", () => false],
    ["with a keep-alive agent and one connection", () => new Agent({ keepAlive: true, maxSockets: 1 })],
  ])("always gets the hint, in one write or two, one by one or at once, %s", async ([, open]) => {
    const agent = open();
    const turnsFor = (n: number) => (n % 2 ? n % 10 : undefined);
    for (let n = 0; n < repetitions; n++) expectHint(await sendUnframed(agent, turnsFor(n)));
    const sent = Array.from({ length: repetitions }, (_, n) => sendUnframed(agent, turnsFor(n)));
    for (const response of await Promise.all(sent)) expectHint(response);
    await expectUnharmed();
    if (agent) agent.destroy();
  });

  it("leaves the keep-alive agent usable for later requests", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = 0; n < 20; n++) {
      expectHint(await sendUnframed(agent, n % 2 ? n : undefined));
      const framed = await send(
        agent,
        { ...headers, "Content-Length": Buffer.byteLength(existing) },
        existing,
      );
      expect(framed.status).toBe(200);
      expect(JSON.parse(framed.text)).toMatchObject({ new_user_group: false });
    }
    await expectUnharmed();
    agent.destroy();
  });

  it("gets one response and is closed, in one write or two on a raw socket", async () => {
    for (let n = 0; n < 20; n++) {
      expectOneRejection(await exchange(mock.url, [head + body]));
      expectOneRejection(await exchange(mock.url, [head, body], { turnsBetween: n % 10 }));
    }
    await expectUnharmed();
  });

  it("gets one response and is closed if the body looks like a request", async () => {
    const smuggled = `GET /api/user HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token test-api-token\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expectOneRejection(await exchange(mock.url, [head + smuggled]));
    expectOneRejection(await exchange(mock.url, [head, smuggled], { turnsBetween: 3 }));
    await expectUnharmed();
  });
});

const existing = JSON.stringify({ user_group_id: "example_1" });
const head = [
  "GET /api/user HTTP/1.1",
  "Host: localhost",
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  "\r\n",
].join("\r\n");

interface Received {
  readonly status: number;
  readonly text: string;
}

/** Sends all in one write, or the body some turns of the event loop after the head. */
function sendUnframed(agent: Agent | false, turnsAfterHead: number | undefined): Promise<Received> {
  return send(agent, headers, body, turnsAfterHead);
}

function send(
  agent: Agent | false,
  headers: Record<string, string | number>,
  body: string,
  turnsAfterHead?: number,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const req = request(`${mock.url}/api/user`, { method: "GET", agent, headers }, (res) => {
      let text = "";
      res.setEncoding("utf8");
      res.on("data", (part: string) => {
        text += part;
      });
      res.on("error", reject);
      res.on("end", () => resolve({ status: res.statusCode ?? 0, text }));
    });
    req.on("error", reject);
    if (turnsAfterHead === undefined) {
      req.end(body);
      return;
    }
    req.flushHeaders();
    req.once("socket", (socket) => {
      const endLater = () => void turns(turnsAfterHead).then(() => req.end(body));
      if (socket.connecting) socket.once("connect", endLater);
      else endLater();
    });
  });
}

function expectHint({ status, text }: Received): void {
  expect(status).toBe(400);
  expect(JSON.parse(text)).toEqual({
    success: 0,
    error: { code: "missing_body", message: expect.stringContaining("drop the body of a GET") },
  });
}

function expectOneRejection(responses: Awaited<ReturnType<typeof exchange>>): void {
  expect(responses).toHaveLength(1);
  for (const { status, headers, body: text } of responses) {
    expectHint({ status, text });
    expect(headers).toMatchObject({ connection: "close", "content-type": "application/json; charset=utf-8" });
  }
}

async function expectUnharmed(): Promise<void> {
  expect(await call("GET", `${mock.url}/__admin/health`)).toMatchObject({ status: 200, body: { groups } });
}

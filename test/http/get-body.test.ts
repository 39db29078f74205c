import { Agent, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Mock, startMock } from "../../src/index.js";
import { call } from "../call.js";
import { draws } from "../long.js";
import { exchange, turns } from "./raw-socket.js";

/** Enough to meet the close of the connection at every stage: the answer races with the body. */
const repetitions = draws(50, 200);

const body = JSON.stringify({ user_group_id: "unframed", name: "Never arrives" });
const headers = { Authorization: "Token test-api-token", "Content-Type": "application/json" };

let mock: Mock;
let groups: number;

beforeAll(async () => {
  mock = await startMock();
  ({ groups } = await mock.health());
});
afterAll(() => mock.stop());

describe("a GET whose body has neither Content-Length nor Transfer-Encoding, as node:http sends it", () => {
  const agents = {
    "on connections of their own": () => false as const,
    "over a keep-alive agent": () => new Agent({ keepAlive: true }),
    "over a keep-alive agent with one connection": () => new Agent({ keepAlive: true, maxSockets: 1 }),
  };

  it.for(Object.entries(agents))("always hears why, when it comes in one write %s", async ([, open]) => {
    const agent = open();
    for (let n = 0; n < repetitions; n++) expectHint(await sendUnframed(agent, undefined));
    await expectUnharmed();
    if (agent) agent.destroy();
  });

  it.for(Object.entries(agents))("always hears why, when the head is flushed first %s", async ([, open]) => {
    const agent = open();
    for (let n = 0; n < repetitions; n++) expectHint(await sendUnframed(agent, n % 10));
    await expectUnharmed();
    if (agent) agent.destroy();
  });

  it.for(Object.entries(agents))("always hears why, when many come at once %s", async ([, open]) => {
    const agent = open();
    const sent = Array.from({ length: repetitions }, (_, n) =>
      sendUnframed(agent, n % 2 ? n % 10 : undefined),
    );
    for (const answer of await Promise.all(sent)) expectHint(answer);
    await expectUnharmed();
    if (agent) agent.destroy();
  });

  it("leaves the keep-alive agent usable for the calls that follow", async () => {
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

  it("is answered once and closed, in one write on a bare socket", async () => {
    for (let n = 0; n < 20; n++) expectOneRefusal(await exchange(mock.url, [head + body]));
    await expectUnharmed();
  });

  it("is answered once and closed, in two writes on a bare socket", async () => {
    for (let n = 0; n < 50; n++) {
      expectOneRefusal(await exchange(mock.url, [head, body], { turnsBetween: n % 10 }));
    }
    await expectUnharmed();
  });

  it("is answered once and closed, even when the body looks like a call of its own", async () => {
    const smuggled = `GET /api/user HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token test-api-token\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expectOneRefusal(await exchange(mock.url, [head + smuggled]));
    expectOneRefusal(await exchange(mock.url, [head, smuggled], { turnsBetween: 3 }));
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

interface Heard {
  readonly status: number;
  readonly text: string;
}

/** In one write, or the body so many turns of the event loop after the head. */
function sendUnframed(agent: Agent | false, turnsAfterHead: number | undefined): Promise<Heard> {
  return send(agent, headers, body, turnsAfterHead);
}

function send(
  agent: Agent | false,
  headers: Record<string, string | number>,
  body: string,
  turnsAfterHead?: number,
): Promise<Heard> {
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

function expectHint({ status, text }: Heard): void {
  expect(status).toBe(400);
  expect(JSON.parse(text)).toEqual({
    success: 0,
    error: { code: "missing_body", message: expect.stringContaining("drop the body of a GET") },
  });
}

function expectOneRefusal(answers: Awaited<ReturnType<typeof exchange>>): void {
  expect(answers).toHaveLength(1);
  for (const { status, headers, body: text } of answers) {
    expectHint({ status, text });
    expect(headers).toMatchObject({ connection: "close", "content-type": "application/json; charset=utf-8" });
  }
}

async function expectUnharmed(): Promise<void> {
  expect(await call("GET", `${mock.url}/__admin/health`)).toMatchObject({ status: 200, body: { groups } });
}

// Starts and stops mocks in any runtime, and prints a line of JSON for each row. It uses no test framework, because
// none runs in all of Node.js, Bun and Deno.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { startMock } from "usergroup-mock";

const portOf = (url) => Number(new URL(url).port);
const rotation = JSON.stringify({ current_token: "f".repeat(64) });

/** A connection to a mock: the received text, and a promise that resolves when it closes. */
async function connection(mock, sent = "") {
  const socket = connect({ host: "127.0.0.1", port: portOf(mock.url) });
  const one = { socket, received: "", closed: new Promise((resolve) => socket.once("close", resolve)) };
  // The mock may close it with FIN or RST.
  socket.on("error", () => {});
  socket.setEncoding("utf8").on("data", (text) => {
    one.received += text;
  });
  await once(socket, "connect");
  if (sent !== "") socket.write(sent);
  return one;
}

async function until(condition) {
  const began = performance.now();
  while (!(await condition())) {
    assert.ok(performance.now() - began < 10_000, `waited for ten seconds: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const get = (path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
const post = (length) =>
  "POST /api/user HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Token test-api-token\r\n" +
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

const healthy = async (mock) => (await (await fetch(`${mock.url}/__admin/health`)).json()).status === "ok";

const isPending = async (mock) => (await mock.requests({ outcome: "pending" })).length === 1;

/** A request of which half of the body has arrived. */
async function inFlight(mock) {
  const one = await connection(mock, post(rotation.length) + rotation.slice(0, 9));
  await until(() => isPending(mock));
  return one;
}

async function keptAlive(mock) {
  const one = await connection(mock, get("/__admin/health"));
  await until(() => one.received.includes('"ok"'));
  return one;
}

async function halfSentHeaders(mock) {
  const one = await connection(mock, get("/__admin/health").slice(0, -10));
  // Connections are read in order: once a later one has its response, this one has been read.
  await keptAlive(mock);
  return one;
}

async function eventStream(mock) {
  const one = await connection(mock, get("/__admin/events"));
  await until(() => one.received.includes("text/event-stream"));
  return one;
}

async function held(mock) {
  await mock.hold({ operation: "rotate" });
  const one = await connection(mock, post(rotation.length) + rotation);
  await until(() => isPending(mock));
  return one;
}

/** Stops within a second, closes all connections, and frees the port for the next mock. */
async function stopWith(opened, { after = () => {}, withinMs = 1_000 } = {}) {
  const mock = await startMock();
  const connections = [];
  for (const open of opened) connections.push(await open(mock));
  const began = performance.now();
  const stopped = mock.stop();
  await after(connections);
  await stopped;
  const ms = performance.now() - began;
  await Promise.all(connections.map(({ closed }) => closed));
  const next = await startMock({ port: portOf(mock.url) });
  assert.ok(await healthy(next));
  await next.stop();
  assert.ok(ms < withinMs, `stop() took ${Math.round(ms)} ms`);
  return connections;
}

const isBun = "Bun" in globalThis;

/** Rows by name. A row returns what is different in this runtime, and why. */
const rows = {
  async "starts twice, each server with its own state, and stops"() {
    const [one, other] = await Promise.all([startMock(), startMock()]);
    assert.notEqual(one.url, other.url);
    await one.load({ teams: [{ team_id: 9, api_tokens: ["nine"] }] });
    assert.deepEqual([(await one.health()).groups, (await other.health()).groups], [0, 5]);
    await other.stop();
    assert.ok(await healthy(one));
    assert.equal(one.stop(), one.stop());
    await one.stop();
    await assert.rejects(fetch(one.url));
  },
  async "rejects a used port with EADDRINUSE, and names it"() {
    const first = await startMock();
    const port = portOf(first.url);
    const error = await startMock({ port }).then(
      () => assert.fail("it started"),
      (reason) => reason,
    );
    assert.equal(error.code, "EADDRINUSE");
    assert.match(error.message, new RegExp(`Port ${port} .* is in use`));
    assert.ok(await healthy(first));
    await first.stop();
  },
  async "serves several requests on one connection"() {
    const mock = await startMock();
    const one = await keptAlive(mock);
    for (const count of [2, 3]) {
      one.socket.write(get("/__admin/health"));
      await until(() => one.received.split('"ok"').length === count + 1);
    }
    one.socket.destroy();
    await mock.stop();
  },
  async "stops when connections sent nothing"() {
    if (!isBun) {
      await stopWith([connection, connection], { withinMs: 500 });
      return undefined;
    }
    const end = ([one]) => one.socket.destroy();
    await stopWith([connection], { after: end, withinMs: 500 });
    return "Bun reports a connection to the server only once it has sent something; before that, only its client can close it";
  },
  async "stops after the response to a request in flight"() {
    const [request] = await stopWith([inFlight, keptAlive], {
      after: ([first]) => first.socket.write(rotation.slice(9)),
    });
    assert.match(request.received, /^HTTP\/1\.1 404 .*"unknown_token"/s);
  },
  async "aborts a request that never completes"() {
    await stopWith([inFlight]);
  },
};

const stops = {
  "nothing is connected": [],
  "connections are kept alive and idle": [keptAlive, keptAlive],
  "a connection sent half of its headers": [halfSentHeaders],
  "an event stream is open": [eventStream],
  "a request is held": [held],
};
for (const [what, opened] of Object.entries(stops))
  rows[`stops when ${what}`] = async () => void (await stopWith(opened, { withinMs: 500 }));

// A row is repeated, because other processes may make this one late.
const tries = 3;
for (const [row, check] of Object.entries(rows)) {
  const began = performance.now();
  let result;
  for (let attempt = 0; attempt < tries; attempt++) {
    result = await check().then(
      (differs) => ({ differs }),
      (error) => ({ failure: error.stack ?? String(error) }),
    );
    if (result.failure === undefined) break;
  }
  console.log(JSON.stringify({ row, ms: Math.round(performance.now() - began), ...result }));
}

import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { type Mock, startMock } from "../../src/index.js";
import { call } from "../call.js";
import { callInFlight } from "../call-in-flight.js";
import { needsIpv6 } from "../ipv6.js";
import { seededToken } from "../seeded.js";
import { json, request } from "./raw-table.js";

const lengthOf = (body: string) => [`Content-Length: ${Buffer.byteLength(body)}`];
const portOf = ({ url }: Mock) => Number(new URL(url).port);

describe("mock.url", () => {
  const hosts: readonly (readonly [host: string, url: RegExp])[] = [
    ["127.0.0.1", /^http:\/\/127\.0\.0\.1:\d+$/],
    ["localhost", /^http:\/\/localhost:\d+$/],
    ["0.0.0.0", /^http:\/\/127\.0\.0\.1:\d+$/],
    ["::1", /^http:\/\/\[::1\]:\d+$/],
    ["::", /^http:\/\/\[::1\]:\d+$/],
  ];

  it.for(hosts)("can be requested if the mock is bound to %s", async ([host, url], context) => {
    if (host.includes(":")) needsIpv6(context);
    await using mock = await startMock({ host });
    expect(mock.url).toMatch(url);
    expect((await call("GET", `${mock.url}/__admin/health`)).status).toBe(200);
    // The mock sends a request to itself, at the address of this one.
    for (const base of [mock.url, ...(host === "::" ? [`http://127.0.0.1:${portOf(mock)}`] : [])]) {
      const sent = await call("POST", `${base}/__admin/requests`, { operation: "rotate" });
      expect([sent.status, sent.body.operation]).toEqual([200, "rotate"]);
    }
  });
});

describe("startMock", () => {
  it("rejects a port that is in use, with what to do", async () => {
    await using mock = await startMock();
    await expect(startMock({ port: portOf(mock) })).rejects.toMatchObject({
      code: "EADDRINUSE",
      message: `Port ${portOf(mock)} of 127.0.0.1 is in use. Use --port 0 or the option port: 0 for a free port.`,
    });
  });

  it("rejects a host that is not an address of this machine, with what to do", async () => {
    await expect(startMock({ host: "198.51.100.7" })).rejects.toMatchObject({
      code: "EADDRNOTAVAIL",
      message: "198.51.100.7 is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all addresses.",
    });
  });
});

describe("mock.stop()", () => {
  /** A connection that was used and is idle now. */
  async function keptAlive(mock: Mock) {
    const socket = connect(portOf(mock), "127.0.0.1");
    const closed = once(socket, "close");
    socket.on("error", () => {});
    socket.write("GET /__admin/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(socket, "data");
    return { closed };
  }

  it("closes idle connections while a request is in flight", async () => {
    const mock = await startMock();
    const idle = await keptAlive(mock);
    const inFlight = await callInFlight("POST", mock.url, { current_token: seededToken });
    const stopping = mock.stop();
    await idle.closed;
    const { status, headers } = await inFlight.finish();
    expect([status, headers.connection]).toEqual([200, "close"]);
    await Promise.all([stopping, inFlight.closed]);
  });

  it("sends Connection: close to a keep-alive client", async () => {
    const mock = await startMock();
    const socket = connect(portOf(mock), "127.0.0.1").setEncoding("latin1");
    socket.write(request({ more: ["Expect: 100-continue"], body: "", length: lengthOf(json), close: false }));
    expect((await once(socket, "data"))[0]).toContain("100 Continue");
    const stopping = mock.stop();
    socket.write(json);
    const response = (await socket.toArray()).join("");
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*Connection: close\r\n/);
    await stopping;
  });

  it("can be called twice", async () => {
    const mock = await startMock();
    const idle = await keptAlive(mock);
    await Promise.all([mock.stop(), mock.stop(), idle.closed]);
    await expect(call("GET", `${mock.url}/__admin/health`)).rejects.toThrow("ECONNREFUSED");
  });
});

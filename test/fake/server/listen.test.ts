import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { type Mock, startMock } from "../../../src/index.js";
import { call } from "../../call.js";

const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
const hasIpv6 = addresses.some(({ address }) => address === "::1");

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
    // Many containers have no IPv6.
    if (host.includes(":") && !hasIpv6)
      context.skip("This machine has no IPv6. Enable it on the loopback interface.");
    await using mock = await startMock({ host });
    expect(mock.url).toMatch(url);
    for (const base of [mock.url, ...(host === "::" ? [`http://127.0.0.1:${portOf(mock)}`] : [])])
      expect((await call("GET", `${base}/__admin/health`)).status).toBe(200);
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

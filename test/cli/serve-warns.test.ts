import { describe, expect, it, vi } from "vitest";
import { call } from "../call.js";
import { startCli } from "../cli-process.js";
import { needsIpv6 } from "../ipv6.js";

const adminToken = "open-sesame-7f3a";

describe.concurrent("serve", () => {
  const warning =
    /^usergroup-mock: warning: other machines can reach the mock at \S+, including its admin API\..* --admin-token\.\n$/;

  it.for(["0.0.0.0", "::"])("warns if it listens on %s without an admin token", async (address, context) => {
    if (address === "::") needsIpv6(context);
    await using cli = startCli(["--port", "0", "--host", address]);
    const url = await cli.ready;
    await vi.waitFor(() => expect(cli.stderr()).toMatch(warning), 30_000);
    expect((await call("GET", `${url}/__admin/health`)).status).toBe(200);
  });

  it.each([
    ["loopback", ["--host", "127.0.0.1"]],
    ["localhost", ["--host", "localhost"]],
    ["another address of loopback", ["--host", "127.0.0.2"]],
    ["every address, with an admin token", ["--host", "0.0.0.0", "--admin-token", adminToken]],
  ])("does not warn if it listens on %s, and prints no admin token", async (_, args) => {
    await using cli = startCli(["--port", "0", ...args]);
    const url = await cli.ready;
    const options = { headers: { Authorization: `Bearer ${adminToken}` } };
    expect((await call("GET", `${url}/__admin/health`, undefined, options)).status).toBe(200);
    await call("GET", `${url}/api/user`, undefined, options);
    cli.child.kill("SIGTERM");
    await cli.exited;
    expect(cli.stderr()).toBe("");
    expect(cli.stdout()).not.toContain(adminToken);
  });
});

import { describe, expect, it } from "vitest";
import { startCli } from "../cli-process.js";

describe.concurrent("the last value of a repeated flag wins:", () => {
  it("--host, -p and --admin-token", async () => {
    const addresses = ["--host", "192.0.2.1", "--host", "127.0.0.1", "--port", "99999", "-p", "0"];
    await using cli = startCli([...addresses, "--admin-token", "first", "--admin-token", "last"]);
    expect(await cli.ready).toMatch(/^http:\/\/127\.0\.0\.1:/);
    const statusWith = async (token: string) => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await fetch(`${await cli.ready}/__admin/state`, { headers })).status;
    };
    expect([await statusWith("first"), await statusWith("last")]).toEqual([401, 200]);
  });
});

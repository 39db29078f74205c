import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startCli } from "../cli-process.js";
import { runHere } from "./run-here.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-repeated-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = process.execPath;

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

  it("--inject of exec", async () => {
    const inject = ["--inject", "rotate=lost", "--inject", "rotate=cut"];
    const { code, stderr } = await runHere(["exec", ...inject, "--", node, "-e", ""]);
    expect([code, stderr]).toEqual([
      2,
      "usergroup-mock: warning: --inject rotate=cut: there was no such request. explore --faults lists the requests.\n",
    ]);
  });
});

describe.concurrent("all values of a repeated list flag count:", () => {
  it("--fixtures and --assume", async () => {
    const files = ["one", "two"].map((id, index) => {
      const file = join(folder, `${id}.json`);
      writeFileSync(file, JSON.stringify({ teams: [{ team_id: index + 1, api_tokens: [`token-${id}`] }] }));
      return file;
    });
    const fixtures = files.flatMap((file) => ["--fixtures", file]);
    const assume = ["--assume", "created-status=201", "--assume", "old-token=accepted"];
    await using cli = startCli(["--port", "0", ...fixtures, ...assume]);
    await cli.ready;
    for (const words of [
      "token-one → team 1",
      "token-two → team 2",
      "created-status=201",
      "old-token=accepted",
    ])
      expect(cli.stdout()).toContain(words);
  });
});

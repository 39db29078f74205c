import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { call, getOrCreate, rotate } from "../call.js";
import { certificate } from "../certificate.js";
import { type CliProcess, startCli } from "../cli-process.js";
import { needs } from "../needs.js";
import { runHere } from "./run-here.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-serve-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fixture(name: string, value: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

const linesOf = (text: string) => text.split("\n").slice(0, -1);

describe.concurrent("the output of serve on start", () => {
  it("lists loaded files, assumptions that are not the default, and the random seed", async () => {
    const teams = fixture("teams.json", { teams: [{ team_id: 7, api_tokens: ["seven"] }] });
    const groups = fixture("groups.json", { user_groups: [{ team_id: 7, provided_id: "a", name: "A" }] });
    const assumed = ["old-token=accepted", "created-status=201", "rotated-token=new"];
    const flags = assumed.flatMap((assumption) => ["--assume", assumption]);
    const seeded = ["--seed", "random", ...flags];
    await using cli = startCli(["--port", "0", "--fixtures", teams, "--fixtures", groups, ...seeded]);
    const url = await cli.ready;
    expect(cli.stdout()).toContain(teams);
    expect(cli.stdout()).toContain(groups);
    expect(cli.stdout()).toMatch(/groups\s+1\n/);
    expect(cli.stdout()).toMatch(/API token\s+seven → team 7\n/);
    expect(cli.stdout()).not.toContain("test-api-token");

    expect(cli.stdout()).toContain("old-token=accepted");
    expect(cli.stdout()).toContain("created-status=201");
    expect(cli.stdout()).not.toContain("rotated-token");
    expect(cli.stdout()).not.toContain("failure-status");

    // The printed seed repeats the run.
    const seed = /seed\s+(\S+)/.exec(cli.stdout())?.[1] ?? "";
    await using again = await startMock({ seed, fixtures: [teams, groups] });
    const group = { user_group_id: "b", name: "B" };
    const tokenAt = async (at: string) =>
      (await getOrCreate(at, group, { apiToken: "seven" })).body.user_group.token;
    expect(await tokenAt(url)).toBe(await tokenAt(again.url));
  });
});

describe.concurrent("the curl command of serve", () => {
  async function tryLine(cli: CliProcess, context: TestContext) {
    needs(context, "curl");
    await cli.ready;
    const line = /curl .*/.exec(cli.stdout())?.[0] ?? "";
    const { stdout, stderr } = spawnSync("sh", ["-c", `${line} --silent --show-error`], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    return JSON.parse(stdout);
  }

  it("creates a group when pasted into a shell, and finds it the next time", async (context) => {
    await using cli = startCli(["--port", "0"]);
    expect(await tryLine(cli, context)).toMatchObject({ success: 1, new_user_group: true });
    expect(await tryLine(cli, context)).toMatchObject({ success: 1, new_user_group: false });
  });

  it("works over HTTPS with a self-signed certificate", async (context) => {
    const { cert, key } = certificate;
    await using cli = startCli(["--port", "0", "--tls-cert", cert, "--tls-key", key]);
    expect(await cli.ready).toMatch(/^https:/);
    expect(await tryLine(cli, context)).toMatchObject({ success: 1 });
  });

  it("quotes an API token with special characters of the shell", async (context) => {
    const api_tokens = [`it's"$HOME"\`!\\`];
    const teams = fixture("shell.json", { teams: [{ team_id: 7, api_tokens }] });
    await using cli = startCli(["--port", "0", "--fixtures", teams]);
    expect(await tryLine(cli, context)).toMatchObject({ success: 1, user_group: { team_id: 7 } });
  });
});

describe.concurrent("the log of serve", () => {
  const unknownApiToken = "sk-live-of-another-service";

  /** Sends requests of every outcome, with tokens in every part. Returns how many, and the tokens. */
  async function sendRequests(url: string) {
    const created = await getOrCreate(url, { user_group_id: "a", name: "A" });
    const { token } = created.body.user_group;
    const rotated = await rotate(url, token);
    const newToken: string = rotated.body.user_group.token;
    const ofOther = await getOrCreate(url, { user_group_id: "example_1" }, { apiToken: "other-api-token" });
    const inPath: string = ofOther.body.user_group.token;
    const responses = [
      created,
      rotated,
      ofOther,
      await rotate(url, token),
      await rotate(url, newToken, { apiToken: "other-api-token" }),
      await rotate(url, newToken, { apiToken: unknownApiToken }),
      await call("POST", `${url}/api/user`, `{"current_token": "${newToken}`),
      await call("GET", `${url}/api/user?token=${newToken}`),
      await call("PUT", `${url}/api/user`, { token: newToken }),
      await call("GET", `${url}/api/user/${inPath}`),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 404, 404, 401, 400, 400, 405, 404]);
    const { user_groups } = (await call("GET", `${url}/__admin/state`)).body;
    const kept: string[] = user_groups.map((group: { token: string }) => group.token);
    return { requests: responses.length, tokens: [token, ...kept, unknownApiToken] };
  }

  /** The output up to the ready line and after it, once the process has ended. */
  async function run(log: string) {
    await using cli = startCli(["--port", "0", "--log", log]);
    const called = await sendRequests(await cli.ready);
    cli.child.kill("SIGTERM");
    await cli.exited;
    const lines = linesOf(cli.stdout());
    const ready = lines.findIndex((line) => /usergroup-mock listening on|"listening"/.test(line)) + 1;
    const [start, after] = [lines.slice(0, ready), lines.slice(ready)];
    return { ...called, start, after, output: cli.stdout() + cli.stderr(), stderr: cli.stderr() };
  }

  const withoutPort = (line = "") => line.replace(/http:\/\/127\.0\.0\.1:[1-9]\d*/, "<url>");
  const ready = "usergroup-mock listening on <url>";

  it("has the start, the ready line and one line per request with --log pretty, and no tokens", async () => {
    const { start, after, requests, tokens, output, stderr } = await run("pretty");
    expect(start.join("\n")).toMatch(/loaded\s+the shipped fixtures\/default\.json/);
    expect(start.join("\n")).toMatch(/test-api-token → team 3\s+other-api-token → team 4/);
    expect(start.join("\n")).toMatch(/admin\s+http:\S+\/__admin\/\n/);
    expect(withoutPort(start.at(-1))).toBe(ready);
    expect(after).toHaveLength(requests);
    expect(after[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} +#1 {2}get-or-create {2}a +200 +[\d.]+ ms {2}created$/);
    expect(tokens.length).toBeGreaterThan(5);
    expect(tokens.filter((token) => output.includes(token))).toEqual([]);
    expect(output).not.toContain("\u001b");
    expect(stderr).toBe("");
  });

  it("has only JSON lines with --log json, and no tokens", async () => {
    const { start, after, requests, tokens, output } = await run("json");
    expect(start.map(withoutPort)).toEqual(['{"event":"listening","url":"<url>"}']);
    const entries = after.map((line) => JSON.parse(line));
    expect(entries.map(({ request }) => request)).toEqual(Array.from({ length: requests }, (_, n) => n + 1));
    expect(entries[3]).toMatchObject({ method: "POST", status: 404, code: "unknown_token", effect: "none" });
    expect(tokens.filter((token) => output.includes(token))).toEqual([]);
  });

  it("has only the ready line with --log silent", async () => {
    expect(withoutPort((await run("silent")).output)).toBe(`${ready}\n`);
  });
});

describe.concurrent("serve on every address", () => {
  it("warns without an admin token, and prints no admin token", async () => {
    const args = ["--port", "0", "--host", "0.0.0.0"];
    await using open = startCli(args);
    await using guarded = startCli([...args, "--admin-token", "open-sesame-7f3a"]);
    for (const cli of [open, guarded]) {
      expect((await call("GET", `${await cli.ready}/__admin/health`)).status).toBe(200);
      cli.child.kill("SIGTERM");
      await cli.exited;
    }
    expect(open.stderr()).toMatch(
      /^usergroup-mock: warning: other machines can reach the mock at \S+, including its admin API\..* --admin-token\.\n$/,
    );
    expect(guarded.stderr()).toBe("");
    expect(guarded.stdout()).not.toContain("open-sesame-7f3a");
  });
});

describe("HTTPS", { concurrent: true }, () => {
  const { cert, key } = certificate;

  it.each([
    ["a certificate without its key", ["--tls-cert", cert]],
    ["a file that is not a certificate", ["--tls-cert", fixture("none.pem", "none"), "--tls-key", key]],
  ])("is rejected without a stack trace: %s", async (_, args) => {
    const { code, stdout, stderr } = await runHere(["--port", "0", ...args]);
    expect(stderr).toMatch(/certificate/);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect([code, stdout]).toEqual([1, ""]);
  });
});

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

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-serve-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fixture(name: string, value: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

describe.concurrent("the output of serve on start", () => {
  it("names the profiles with what they contain, and words in braces that are not placeholders", async () => {
    const learned = fixture("learned.json", {
      verified: { against: "https://service.example", on: "2026-11-18" },
      situations: {
        created: { status: 201 },
        "other path": { body: { message: "no {nmae} in {mapping}, a{8}" } },
      },
    });
    const own = fixture("own.json", { situations: { rotated: { status: 202 } } });
    await using cli = startCli(["--port", "0", "--profile", learned, "--profile", own]);
    await cli.ready;
    expect(cli.stdout()).toContain(
      `profile    ${learned}: 2 situations, verified 2026-11-18\n             ${own}: 1 situation\n`,
    );
    const place = `${learned} /situations/other path/body/message`;
    expect(cli.stderr()).toContain(
      `${place}: {nmae} is sent as it is: it is not a placeholder; did you mean name?\n`,
    );
    expect(cli.stderr()).toContain(
      `${place}: {mapping} is sent as it is: it is a placeholder only as a whole value.`,
    );
    // As in a regular expression: a number is not a word.
    expect(cli.stderr()).not.toContain("{8}");
  });

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

  it("accepts a self-signed certificate, and quotes an API token with special characters of the shell", async (context) => {
    const { cert, key } = certificate;
    const api_tokens = [`it's"$HOME"\`!\\`];
    const teams = fixture("shell.json", { teams: [{ team_id: 7, api_tokens }] });
    const flags = ["--fixtures", teams, "--tls-cert", cert, "--tls-key", key];
    await using cli = startCli(["--port", "0", ...flags]);
    expect(await cli.ready).toMatch(/^https:/);
    expect(await tryLine(cli, context)).toMatchObject({ success: 1, user_group: { team_id: 7 } });
  });
});

// test/fake/server/request-log.test.ts has the lines of requests.
describe.concurrent("the log of serve", () => {
  /** The output after a few requests, once the process has ended. */
  async function run(log: string) {
    await using cli = startCli(["--port", "0", "--log", log]);
    const url = await cli.ready;
    const { token } = (await getOrCreate(url, { user_group_id: "a", name: "A" })).body.user_group;
    const { token: latest } = (await rotate(url, token)).body.user_group;
    await rotate(url, token, { apiToken: "other-api-token" });
    await call("GET", `${url}/api/user/${latest}`);
    cli.child.kill("SIGTERM");
    await cli.exited;
    const output = cli.stdout() + cli.stderr();
    for (const secret of [token, latest, "\u001b"]) expect(output).not.toContain(secret);
    return output.replaceAll(url, "<url>").split("\n").slice(0, -1);
  }
  const ready = "usergroup-mock listening on <url>";

  it("has the start, the ready line and one line per request with --log pretty, and no tokens", async () => {
    const lines = await run("pretty");
    const start = lines.slice(0, lines.indexOf(ready)).join("\n");
    expect(start).toMatch(/loaded\s+the shipped fixtures\/default\.json/);
    expect(start).toMatch(/test-api-token → team 3\s+other-api-token → team 4/);
    expect(start).toMatch(/admin\s+<url>\/__admin\//);
    const [first, ...others] = lines.slice(lines.indexOf(ready) + 1);
    expect(first).toMatch(/^\d\d:\d\d:\d\d\.\d{3} +#1 {2}get-or-create {2}a +200 +[\d.]+ ms {2}created$/);
    expect(others).toHaveLength(3);
  });

  it("has only JSON lines with --log json, and no tokens", async () => {
    const [start, ...lines] = await run("json");
    expect(start).toBe('{"event":"listening","url":"<url>"}');
    expect(lines.map((line) => JSON.parse(line).request)).toEqual([1, 2, 3, 4]);
  });
});

describe.concurrent("serve on every address", () => {
  it("warns without an admin token, prints no admin token, and uses the last value of a repeated flag", async () => {
    // The first address is not one of this machine, and the first port does not exist.
    const args = ["--host", "192.0.2.1", "--host", "0.0.0.0", "--port", "99999", "-p", "0"];
    await using open = startCli(args);
    await using guarded = startCli([...args, "--admin-token", "first", "--admin-token", "open-sesame-7f3a"]);
    const statusWith = async (token: string) => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await fetch(`${await guarded.ready}/__admin/state`, { headers })).status;
    };
    expect([await statusWith("first"), await statusWith("open-sesame-7f3a")]).toEqual([401, 200]);
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

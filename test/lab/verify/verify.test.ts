import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it, vi } from "vitest";
import { assumptionIds, defaultAssumptions } from "../../../src/contract/assumptions.js";
import { operationIds } from "../../../src/contract/operations.js";
import { startMock } from "../../../src/index.js";
import { facts } from "../../../src/lab/verify/facts.js";
import { call } from "../../call.js";
import { runHere } from "../../cli/run-here.js";
import { runCli, startCli } from "../../cli-process.js";
import { mixtures } from "../../mixtures.js";
import { plainServer, plainService } from "./plain-service.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-verify-"));
const factCount = Object.keys(facts).length;
const allFacts = `${factCount} of ${factCount} facts`;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const twoTokens = ["--api-token", "test-api-token", "--second-api-token", "other-api-token"];
const verify = (url: string, ...more: string[]) =>
  runHere(["verify", "--against", url, ...twoTokens, "--yes", ...more]);

vi.setConfig({ testTimeout: 60_000 });

describe.concurrent("verify without --yes", () => {
  it.each([
    ["one team", [], "All of them belong to the team of the API token."],
    ["two teams", ["--second-api-token", "other-api-token"], "belong to the team of the second API token."],
  ])("prints what it would do with %s, and sends nothing", async (_, second, words) => {
    await using mock = await startMock();
    const args = ["verify", "--against", mock.url, "--api-token", "test-api-token", ...second];
    const { code, stdout, stderr } = await runHere(args);
    expect(stdout).toContain(`verify writes to ${mock.url}: it creates about 30 user groups`);
    expect(stdout).toContain('ids begin with "usergroup-mock-verify-"');
    expect(stdout).toContain(words);
    expect(stdout).toMatch(/Add --yes to start\.\n$/);
    expect([code, stderr]).toEqual([2, ""]);
    expect(await mock.requests()).toEqual([]);
  });
});

describe.concurrent("verify with --yes", () => {
  it("prints every fact and question, and ends with 0 if every fact holds", async () => {
    await using mock = await startMock({ assume: { "created-status": "201", "rotated-token": "same" } });
    const { code, stdout } = await verify(mock.url);
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    expect(lines[0]).toMatch(
      /^Checked http:\/\/127\.0\.0\.1:\d+ \(groups usergroup-mock-verify-[0-9a-f]{8}-…\)$/,
    );
    expect(lines.filter((line) => line.startsWith("  holds  "))).toHaveLength(factCount);
    expect(lines).toContain("  holds  a failed request returns success 0");
    for (const id of assumptionIds) expect(lines.some((line) => line.startsWith(`  ${id} `))).toBe(true);
    expect(lines).toContain("  api-tokens      listed            as the mock assumes");
    expect(lines).toContain("  created-status  201               the mock assumes 200");
    expect(lines).toContain(
      "  old-token       not determinable  rotation keeps the token, so there is no old token",
    );
    expect(lines.at(-2)).toBe(
      `${allFacts} hold. 2 of 18 assumptions differ from the mock's defaults, 1 could not be determined.`,
    );
  });

  it("prints a broken fact with the reason, and ends with 1", async () => {
    await using server = await plainService((correct) => ({
      ...correct,
      body: { ...correct.body, extra: 1 },
    }));
    const { code, stdout } = await runHere([
      "verify",
      "--against",
      server.url,
      "--api-token",
      "secret",
      "--yes",
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain(
      "  broken  rotate returns success 1 and user_group, and nothing else: unexpected field: extra\n",
    );
    expect(stdout).toContain(`${factCount - operationIds.length} of ${factCount} facts hold.`);
    expect(stdout).toMatch(/^ {2}group-scope {5}not determinable {2}this needs two teams: pass --second/m);
  });

  it("prints only JSON on standard output with --json", async () => {
    await using mock = await startMock({ assume: { "old-token": "accepted" } });
    const { code, stdout } = await verify(mock.url, "--json");
    expect(code).toBe(0);
    const { against, prefix, facts, assumptions, ...others } = JSON.parse(stdout);
    expect(others).toEqual({});
    expect(against).toBe(mock.url);
    expect(prefix).toMatch(/^usergroup-mock-verify-[0-9a-f]{8}$/);
    expect(facts).toHaveLength(factCount);
    expect(facts[0]).toEqual({ fact: expect.any(String), verdict: "holds" });
    expect(assumptions).toEqual(
      assumptionIds.map((id) => ({
        id,
        default: defaultAssumptions[id],
        value: id === "old-token" ? "accepted" : defaultAssumptions[id],
      })),
    );
  });

  it("prints no API token", async () => {
    await using mock = await startMock();
    const out = join(folder, "no-tokens.json");
    const table = await verify(mock.url, "--out", out);
    const json = await verify(mock.url, "--json");
    const shown = table.stdout + json.stdout + readFileSync(out, "utf8");
    expect(shown).toContain("usergroup-mock-verify-");
    expect(shown).not.toMatch(/test-api-token|other-api-token/);
  });
});

describe.concurrent("verify --out", () => {
  const drawn = fc.sample(mixtures, { seed: 20263, numRuns: 1 });

  it.each(drawn)("writes a file that gives a mock the same assumptions", async (mixture) => {
    const out = join(folder, "mixture.json");
    await using service = await startMock({ assume: mixture });
    const { code, stdout } = await verify(service.url, "--out", out);
    expect(stdout).toContain(`${allFacts} hold.`);
    expect(code).toBe(0);
    await using mock = startCli(["--port", "0", "--config", out]);
    const { body } = await call("GET", `${await mock.ready}/__admin/assumptions`);
    const values = Object.fromEntries(
      body.assumptions.map(({ id, value }: { id: string; value: string }) => [id, value]),
    );
    // Without an old token, the value cannot be found, and the default stays.
    const hidden =
      mixture["rotated-token"] === "same" ? { "old-token": defaultAssumptions["old-token"] } : {};
    expect(values, JSON.stringify(mixture)).toEqual({ ...mixture, ...hidden });
  });

  it("keeps everything else in a config file, and replaces the values that were found", async () => {
    const out = join(folder, "usergroup-mock.config.json");
    const config = {
      $schema: "./config.json",
      port: 4010,
      report: "reports/mock.html",
      set: { URL: "{url}" },
    };
    const before = { "created-status": "201", "foreign-token": "accepted" };
    writeFileSync(out, JSON.stringify({ ...config, assume: before }));
    await using mock = await startMock();
    const { code } = await runHere([
      ...["verify", "--against", mock.url, "--api-token", "test-api-token", "--yes", "--out", out],
    ]);
    const { "group-scope": scope, ...found } = defaultAssumptions;
    const assume = { ...found, "foreign-token": "accepted" };
    expect(JSON.parse(readFileSync(out, "utf8"))).toEqual({ ...config, assume });
    expect(code).toBe(0);
  });

  it("ends with 2 if the file cannot be written", async () => {
    await using mock = await startMock();
    const out = join(folder, "no-such-folder", "out.json");
    const { code, stderr } = await verify(mock.url, "--out", out);
    expect(stderr).toMatch(/^usergroup-mock: ENOENT.*out\.json/m);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(code).toBe(2);
  });
});

describe.concurrent("verify prints one line and ends with 2", () => {
  const rejected = async (args: readonly string[], verifying = runHere) => {
    const { code, stdout, stderr } = await verifying(["verify", ...args]);
    expect(stderr).toMatch(/^usergroup-mock: .+\n$/);
    expect(stdout).toBe("");
    expect(code).toBe(2);
    return stderr;
  };
  const token = ["--api-token", "wrong-api-token", "--yes"];

  it("if the response is a page", async () => {
    await using server = await plainServer((_, res) => res.end("<h1>Hello</h1>"));
    expect(await rejected(["--against", server.url, ...token], runCli)).toContain(
      "GET /api/user returned 200 OK without JSON, after 4 attempts. Check the URL.",
    );
  });

  it.each([
    ["no --against", token, "--against https://service.example"],
    [
      "an --against that is not a URL",
      ["--against", "somewhere", ...token],
      "--against https://service.example",
    ],
    ["an --against without http://", ["--against", "localhost:4010", ...token], "--against https://service"],
    [
      "no --api-token",
      ["--against", "http://127.0.0.1:9", "--yes"],
      "Set USERGROUP_MOCK_VERIFY_API_TOKEN, or pass --api-token",
    ],
  ])("for %s", async (_, args, words) => {
    const message = await rejected(args);
    expect(message).toContain(words);
    expect(message).not.toContain("null");
  });
});

describe.concurrent("verify on the command line", () => {
  it("reads its API tokens from variables", async () => {
    await using mock = await startMock();
    const env = {
      USERGROUP_MOCK_VERIFY_API_TOKEN: "test-api-token",
      USERGROUP_MOCK_VERIFY_SECOND_API_TOKEN: "other-api-token",
    };
    const { code, stdout } = await runHere(["verify", "--against", mock.url, "--yes"], { env });
    expect(stdout).toContain("0 could not be determined");
    expect(code).toBe(0);
    const flag = await runHere(["verify", "--against", mock.url, "--yes", "--api-token", "wrong"], { env });
    expect(flag.stderr).toContain("status 401 and no success. Check the URL and the API token.");
  });
});

const firstQuestion = factCount + 1;
const stepCount = firstQuestion + assumptionIds.length;
const argsFor = (url: string) => ["verify", "--against", url, ...twoTokens, "--yes"];

describe.concurrent("the progress of verify", () => {
  it("is a line for each fact and question in a pipe", async () => {
    await using mock = await startMock();
    const { code, stderr } = await runHere(argsFor(mock.url));
    const lines = stderr.trimEnd().split("\n");
    const steps = lines.map((line) => line.replace(/ \([\d.]+ s(, about \d+ s left)?\)$/, ""));
    expect(steps).toHaveLength(stepCount);
    expect(steps.slice(0, 2)).toEqual([
      `1/${stepCount} first request: ok`,
      `2/${stepCount} get-or-create returns success 1, new_user_group and user_group, and nothing else: holds`,
    ]);
    expect(steps.slice(firstQuestion)).toEqual(
      assumptionIds.map((id, n) => `${firstQuestion + n + 1}/${stepCount} ${id}: ${defaultAssumptions[id]}`),
    );
    expect(lines[firstQuestion]).toMatch(/ \(\d\.\d s, about \d+ s left\)$/);
    expect(code).toBe(0);
  });
});

describe.concurrent("a signal to verify", () => {
  /** Runs until the second fact, whose request is held, and sends a signal. */
  async function interrupt(signal: NodeJS.Signals, ...more: string[]) {
    await using mock = await startMock();
    await mock.hold({ operation: "rotate" });
    await using running = startCli([...argsFor(mock.url), ...more]);
    await vi.waitFor(() => expect(running.stderr()).toContain("\n2/"), 30_000);
    running.child.kill(signal);
    const ended = await running.exited;
    return { ...ended, stdout: running.stdout(), stderr: running.stderr() };
  }

  it("ends it without a report", async () => {
    const out = join(folder, "out.json");
    const { stdout, code, signal } = await interrupt("SIGINT", "--out", out);
    expect([code, signal, stdout, existsSync(out)]).toEqual([null, "SIGINT", "", false]);
  });
});

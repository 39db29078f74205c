import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { assumptionIds, defaultAssumptions } from "../../../src/fake/contract/assumptions.js";
import { type Mock, startMock } from "../../../src/index.js";
import { facts } from "../../../src/lab/verify/learn/facts.js";
import { call } from "../../call.js";
import { runHere } from "../../cli/run-here.js";
import { type Ended, runOnFullDisk, startCli } from "../../cli-process.js";
import { smoke } from "../../long.js";
import { failingProxy, responding } from "./failing-proxy.js";
import { frameworkService } from "./framework-service.js";

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
    ["one team", [], "The groups belong to the team of the API token."],
    [
      "two teams",
      ["--second-api-token", "other-api-token"],
      "The groups belong to the teams of both API tokens.",
    ],
  ])("prints what it would do with %s, and sends nothing", async (_, second, words) => {
    await using mock = await startMock();
    const args = ["verify", "--against", mock.url, "--api-token", "test-api-token", ...second];
    const { code, stdout, stderr } = await runHere(args);
    expect(stdout).toContain(
      `verify writes to ${mock.url}: it sends at most 150 requests, which create at most 50`,
    );
    expect(stdout).toContain('Their ids, and most of their names, begin with "ugm-"');
    expect(stdout).toContain("15-digit numbers");
    expect(stdout).toContain(words);
    expect(stdout).toMatch(/Add --yes to start\.\n$/);
    expect([code, stderr]).toEqual([2, ""]);
    expect(await mock.requests()).toEqual([]);
  });
});

it("verify takes a URL with a slash at its end, and no second API token from an empty variable", async () => {
  const env = { USERGROUP_MOCK_VERIFY_SECOND_API_TOKEN: "" };
  const args = ["verify", "--against", "http://127.0.0.1:9/base//", "--api-token", "test-api-token"];
  const { stdout } = await runHere(args, { env });
  expect(stdout).toContain("verify writes to http://127.0.0.1:9/base: it sends");
  expect(stdout).toContain("The groups belong to the team of the API token.");
});

describe.concurrent("verify with --yes", () => {
  it("prints every fact and question, and ends with 0 if every fact holds", async () => {
    await using mock = await startMock({ assume: { "created-status": "201", "rotated-token": "same" } });
    const { code, stdout } = await verify(mock.url);
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    expect(lines[0]).toMatch(
      /^Checked http:\/\/127\.0\.0\.1:\d+ \(\d+ requests, \d+ groups ugm-[a-z0-9]{6}…\)$/,
    );
    expect(lines.filter((line) => line.startsWith("  holds  "))).toHaveLength(factCount);
    expect(lines).toContain(`  holds  ${facts.failure}`);
    expect(lines).toContain(
      '  holds  new_user_group is "true when a new user group was created by this call", and otherwise false',
    );
    for (const id of assumptionIds) expect(lines.some((line) => line.startsWith(`  ${id} `))).toBe(true);
    expect(lines).toContain("  api-tokens      listed            as the mock assumes");
    expect(lines).toContain("  created-status  201               the mock assumes 200");
    expect(lines).toContain(
      "  old-token       not determinable  rotation keeps the token, so there is no old token",
    );
    expect(lines.filter((line) => /^ {2}created +201$/.test(line))).toHaveLength(1);
    expect(lines).toContain(
      `${allFacts} hold. 2 of 20 assumptions differ from the mock's defaults, 1 could not be determined.`,
    );
    expect(lines.at(-2)).toMatch(
      /^The mock with this profile responded as the service to 24 of 24 further requests, and to (\d+) of \1 from which it was learned \(same body: \d+ and \d+, examples aside\)\.$/,
    );
  });

  it("prints a broken fact with the reason, and ends with 1", async () => {
    await using server = await frameworkService({
      reject: () => ({ status: 400, body: { success: 0 } }),
      deviate: (correct) =>
        Object(correct.body).success === 1 && Object(correct.body).new_user_group === undefined
          ? { ...correct, body: { ...Object(correct.body), success: "1" } }
          : correct,
    });
    const out = join(folder, "broken.json");
    const flags = ["--api-token", "api-token-of-one", "--yes", "--out", out];
    const { code, stdout } = await runHere(["verify", "--against", server.url, ...flags]);
    expect(code).toBe(1);
    expect(stdout).toContain(`  broken  ${facts.rotated}: success was "1"\n`);
    expect(stdout).toContain(`${factCount - 1} of ${factCount} facts hold (exit code 1).`);
    expect(stdout).toMatch(/^ {2}group-scope {5}not determinable {2}this needs two teams: pass --second/m);
    expect(stdout).toMatch(
      /\n\nThe mock responds in another way:\n {2}POST .*\n {4}service: 200 .*\n {4}mock: {4}200 /,
    );
    expect(JSON.parse(readFileSync(out, "utf8")).verified.broken).toEqual(["rotated"]);
  });

  it("prints only JSON on standard output with --json", async () => {
    await using mock = await startMock({ assume: { "old-token": "accepted" } });
    const { code, stdout } = await verify(mock.url, "--json");
    expect(code).toBe(0);
    const { against, prefix, facts, assumptions, profile, further, replay, ...others } = JSON.parse(stdout);
    expect(Object.keys(others)).toEqual(["requests", "groups"]);
    expect(further).toMatchObject({ same: 24, of: 24, different: [] });
    expect(profile.assume["old-token"]).toBe("accepted");
    expect(replay).toEqual({
      same: replay.of,
      exact: expect.any(Number),
      of: expect.any(Number),
      different: [],
    });
    expect(against).toBe(mock.url);
    expect(prefix).toMatch(/^ugm-[a-z0-9]{6}$/);
    expect(facts).toHaveLength(factCount);
    expect(facts[0]).toEqual({ id: "created", fact: expect.any(String), verdict: "holds" });
    expect(assumptions).toMatchObject(
      assumptionIds.map((id) => ({
        id,
        default: defaultAssumptions[id],
        value: id === "old-token" ? "accepted" : defaultAssumptions[id],
      })),
    );
  });
});

describe.concurrent("verify --out", () => {
  it("writes a profile with which the mock starts, and keeps what it did not observe", async () => {
    const out = join(folder, "profile.json");
    const kept = { payload_too_large: { status: 400 }, "unknown_token.foreign": { status: 418 } };
    const stale = { "invalid_body.name.missing": { status: 418 }, found: { status: 299 } };
    const earlier = {
      verified: { against: "https://earlier.example", on: "2020-01-31" },
      accepts: { "get-or-create": { properties: { name: { maxLength: 5 }, mapping: { required: ["40"] } } } },
      assume: { "foreign-token": "accepted", "old-token": "accepted" },
      responses: { ...kept, ...stale },
    };
    writeFileSync(out, JSON.stringify(earlier));
    await using service = await startMock({ assume: { "created-status": "201", "failure-body": "bare" } });
    const flags = ["--api-token", "test-api-token", "--yes", "--out", out];
    const { code, stderr } = await runHere(["verify", "--against", service.url, ...flags]);
    expect(code).toBe(0);
    const replaced = stderr.split("\n").filter((line) => line.startsWith(out));
    expect(replaced.map((line) => line.slice(out.length + 2))).toEqual([
      "removed accepts get-or-create/name/maxLength",
      "replaced assume old-token (was accepted)",
      "removed response invalid_body.name.missing",
      "replaced response found",
      "written",
    ]);
    const written = JSON.parse(readFileSync(out, "utf8"));
    const { "group-scope": _, ...found } = defaultAssumptions;
    const inAccepts = ["unknown-fields", "mapping-values", "numeric-ids", "empty-strings"];
    const behaviour = Object.entries(found).filter(([id]) => !inAccepts.includes(id));
    expect(written.assume).toEqual({
      ...Object.fromEntries(behaviour),
      "foreign-token": "accepted",
      "created-status": "201",
      "failure-body": "bare",
    });
    expect(written).toMatchObject({
      $schema: "./node_modules/usergroup-mock/schemas/profile.json",
      verified: { against: service.url, on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
      responses: {
        ...kept,
        found: { status: 200 },
        created: { status: 201 },
        unauthorized: { status: 401, body: { success: 0 } },
      },
    });
    expect(written.accepts["get-or-create"].properties).toMatchObject({
      name: { type: "string", minLength: 1 },
      mapping: { required: ["40"], additionalProperties: { type: "string" } },
    });
    await using mock = await startMock({ profile: out });
    const { body } = await call("GET", `${mock.url}/__admin/assumptions`);
    expect(body.verified).toEqual(written.verified);
  });

  it("ends with 2 before the first request if the file cannot be written", async () => {
    await using mock = await startMock();
    const { code, stderr } = await verify(mock.url, "--out", join(import.meta.filename, "out.json"));
    expect(stderr).toMatch(/^usergroup-mock: --out \S+ cannot be written: EEXIST: [^\n]+\.\n$/);
    expect([code, await mock.requests()]).toEqual([2, []]);
  });

  it("leaves the file as it was if the disk is full", async () => {
    await using mock = await startMock();
    // A short run. What the file has is kept, and is longer than the disk allows.
    await using proxy = await failingProxy(mock.url, (n) =>
      n > 8 ? responding(503, "{}", "3600") : undefined,
    );
    const out = join(folder, "full-disk.json");
    const earlier = JSON.stringify({ responses: { payload_too_large: { text: "long ".repeat(500) } } });
    writeFileSync(out, earlier);
    const args = ["verify", "--against", proxy.url, ...twoTokens, "--yes", "--out", out];
    const { code, stderr } = await runOnFullDisk(args);
    expect(stderr).toMatch(/^usergroup-mock: EFBIG: file too large/m);
    expect([code, readFileSync(out, "utf8")]).toEqual([2, earlier]);
    expect(readdirSync(folder).filter((name) => name.includes("full-disk"))).toEqual(["full-disk.json"]);
  });
});

describe.concurrent("verify prints one line and ends with 2", () => {
  const token = ["--api-token", "wrong-api-token", "--yes"];

  it.each([
    ["no --against", token, "--against https://service.example"],
    [
      "an --against that is not a URL",
      ["--against", "somewhere", ...token],
      "--against https://service.example",
    ],
    [
      "the URL of the operations",
      ["--against", "http://127.0.0.1:9/api/user", ...token],
      "with scheme and without /api/user, ?, # and @.",
    ],
    ["an --against without http://", ["--against", "localhost:4010", ...token], "--against https://service"],
    [
      "the URL of the operations with a slash",
      ["--against", "http://127.0.0.1:9/api/user/", ...token],
      "with scheme and without /api/user, ?, # and @.",
    ],
    [
      "a space in --api-token",
      ["--against", "http://127.0.0.1:9", "--api-token", "one two", "--yes"],
      "must consist of printable ASCII characters without spaces.",
    ],
    [
      "a space in --second-api-token",
      ["--against", "http://127.0.0.1:9", ...token, "--second-api-token", "one two"],
      "must consist of printable ASCII characters without spaces.",
    ],
    [
      "no --api-token",
      ["--against", "http://127.0.0.1:9", "--yes"],
      "Set USERGROUP_MOCK_VERIFY_API_TOKEN, or pass --api-token",
    ],
  ])("for %s", async (_, args, words) => {
    const { code, stdout, stderr } = await runHere(["verify", ...args]);
    expect(stderr).toMatch(/^usergroup-mock: .+\n$/);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain("null");
    expect([code, stdout]).toEqual([2, ""]);
  });
});

describe("verify with API tokens in variables", () => {
  const env = {
    USERGROUP_MOCK_VERIFY_API_TOKEN: "test-api-token",
    USERGROUP_MOCK_VERIFY_SECOND_API_TOKEN: "other-api-token",
  };
  const out = join(folder, "usual.json");
  let mock: Mock;
  let ended: Ended;
  beforeAll(async () => {
    mock = await startMock();
    ended = await runHere(["verify", "--against", mock.url, "--yes", "--out", out], { env });
  });
  afterAll(() => mock.stop());

  it("uses both", () => {
    expect(ended.stdout).toContain("0 could not be determined");
    expect(ended.code).toBe(0);
  });

  it("prefers a flag", async () => {
    await using other = await startMock();
    const args = ["verify", "--against", other.url, "--yes", "--api-token", "wrong"];
    const { stderr } = await runHere(args, { env });
    expect(stderr).toContain(
      "status 401 and no success. Check the URL and the API token, or pass a valid body with --sample.",
    );
  });

  it("ends with the line that the docs show", () => {
    // The further requests are drawn, and so may be what their bodies have in common.
    const withoutNumbers = (text: string) => text.replace(/\d+/g, "0");
    const last = ended.stdout.trimEnd().split("\n").at(-1);
    expect(withoutNumbers(readFileSync("docs/assumptions.md", "utf8"))).toContain(
      withoutNumbers(`\`${last}\``),
    );
  });

  it("writes an object that fits into 100 columns on one line", () => {
    const lines = readFileSync(out, "utf8").split("\n");
    expect(lines).toContain('    "created": { "status": 200 },');
    expect(lines).toContain('        "name": { "type": "string", "minLength": 1 },');
  });

  it("prints the prefix of its groups before the first request", async () => {
    const prefix = /^The names and ids of this run begin with (ugm-\w{6})\.\n/.exec(ended.stderr)?.[1];
    expect(prefix).toBeDefined();
    const sent = (await mock.requests()).flatMap(({ request }) => Object(request.body).user_group_id ?? []);
    const ids = sent.filter((id: unknown) => !String(id).toLowerCase().startsWith(String(prefix)));
    expect(sent.length - ids.length).toBeGreaterThan(50);
    expect(ids.every((id: unknown) => /^\d{15}$/.test(String(id)))).toBe(true);
  });
});

const argsFor = (url: string) => ["verify", "--against", url, ...twoTokens, "--yes"];

describe.concurrent("a signal to verify", () => {
  /** Runs until a request that is held, and sends a signal. */
  async function interrupt(signal: NodeJS.Signals, ...more: string[]) {
    await using mock = await startMock();
    const held = await mock.hold({ operation: "rotate", skip: 1 }, { timeoutMs: 60_000 });
    await using running = startCli([...argsFor(mock.url), ...more]);
    await held.arrived();
    running.child.kill(signal);
    const ended = await running.exited;
    return { ...ended, stdout: running.stdout(), stderr: running.stderr() };
  }

  const signals = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const;
  // The tests of serve send each signal.
  it.each(smoke(signals))(
    "prints the prefix and what was learned so far, and leaves the file: %s",
    async (signal, exitCode) => {
      const out = join(folder, `${signal}.json`);
      writeFileSync(out, '{ "assume": { "old-token": "accepted" } }');
      const { stdout, stderr, code } = await interrupt(signal, "--out", out);
      const [, prefix = "none"] = /begin with (ugm-\w{6})\./.exec(stderr) ?? [];
      expect(stdout).toContain(`  holds             ${facts.created}\n`);
      expect(stdout).toContain("  existing-group  unchanged         as the mock assumes\n");
      expect(stdout).toMatch(/^ {2}api-tokens {6}not determinable {2}this was not asked$/m);
      expect(stdout).toMatch(
        new RegExp(
          `\\nInterrupted after \\d+ requests\\. Nothing was written\\. .* begin with ${prefix}\\.\\n$`,
        ),
      );
      expect(code).toBe(exitCode);
      expect(readFileSync(out, "utf8")).toBe('{ "assume": { "old-token": "accepted" } }');
    },
  );

  it("leaves a mark in the JSON", async () => {
    const { stdout, code } = await interrupt("SIGINT", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ interrupted: true, requests: expect.any(Number) });
    expect(code).toBe(130);
  });
});

it("a signal while verify compares with a file ends it, and leaves the file of --out", async () => {
  const out = join(folder, "compared.json");
  const earlier = '{ "assume": { "old-token": "accepted" } }';
  writeFileSync(out, earlier);
  await using mock = await startMock();
  const others = process.listeners("SIGINT");
  // It names the responses and measures the profile with three mocks, and compares with the next ones.
  let mocks = 0;
  const listen = Server.prototype.listen;
  const starting = vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server, ...args) {
    if (++mocks === 4)
      for (const stop of process.listeners("SIGINT")) if (!others.includes(stop)) stop("SIGINT");
    return Reflect.apply(listen, this, args);
  });
  const { code, stdout } = await verify(mock.url, "--expect", out, "--out", out);
  starting.mockRestore();
  expect(stdout).toContain("Nothing was written.");
  expect(stdout).not.toContain("Changed since");
  expect([code, readFileSync(out, "utf8")]).toEqual([130, earlier]);
  expect(mocks).toBe(5);
});

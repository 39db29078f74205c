import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AssumptionId, assumptionIds, defaultAssumptions } from "../../../src/contract/assumptions.js";
import { startMock } from "../../../src/index.js";
import { runHere } from "../../cli/run-here.js";
import { type Failure, failingProxy, responding } from "./failing-proxy.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-expect-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

vi.setConfig({ testTimeout: 60_000 });

/** Runs verify against a mock with the defaults, behind a proxy. */
async function verify(disturb: (request: number) => Failure | undefined, ...more: string[]) {
  await using mock = await startMock();
  await using proxy = await failingProxy(mock.url, disturb);
  const tokens = ["--api-token", "test-api-token", "--second-api-token", "other-api-token"];
  const ended = await runHere(["verify", "--against", proxy.url, ...tokens, "--yes", ...more]);
  return { ...ended, requests: proxy.requests() };
}

/** How many requests verify sends if none of them fails. */
let requestCount: number;
beforeAll(async () => {
  ({ requests: requestCount } = await verify(() => undefined));
});

/** A service that asks for a longer pause than failures may take, from this request on. */
const outageFrom = (request: number) => (n: number) =>
  n >= request ? responding(503, "{}", "3600") : undefined;
const why = (method: string, path = "/api/user") =>
  `${method} ${path} returned 503 Service Unavailable (Retry-After: 3600), after 1 attempt`;

const without = (...ids: AssumptionId[]) =>
  Object.fromEntries(Object.entries(defaultAssumptions).filter(([id]) => !ids.includes(id as AssumptionId)));

let files = 0;
const newFile = () => join(folder, `${++files}.json`);
function textFile(content: string): string {
  const file = newFile();
  writeFileSync(file, content);
  return file;
}
const fileOf = (values: object) => textFile(JSON.stringify({ assume: values }));
const valuesIn = (file: string) => JSON.parse(readFileSync(file, "utf8")).assume;

describe.concurrent("an outage during verify", () => {
  it("makes all further facts and questions not determinable, and ends with 2", async () => {
    const out = newFile();
    const { code, stdout, requests } = await verify(outageFrom(17), "--out", out);
    expect(stdout.match(/^ {2}(holds|broken|not determinable) /gm)).toEqual([
      ...Array(9).fill("  holds "),
      ...Array(2).fill("  not determinable "),
    ]);
    expect(stdout).toContain(`  not determinable  a failed request returns success 0: ${why("POST")}\n`);
    for (const id of assumptionIds)
      expect(stdout).toMatch(new RegExp(`^  ${id} +not determinable  \\S+ \\S+ returned 503 `, "m"));
    expect(stdout).toMatch(/^9 of 11 facts hold\. 0 of 18 .*, 18 could not be/m);
    expect(valuesIn(out)).toEqual({});
    // One attempt for each of them, and for the first team of the questions about two teams.
    expect([code, requests]).toEqual([2, 36]);
  });

  it("is not a change, and does not replace an earlier value in the file", async () => {
    const earlier = { ...defaultAssumptions, "videos-path": "rotates", "created-status": "200" };
    const file = fileOf(earlier);
    const flags = ["--expect", file, "--out", file];
    const { code, stdout } = await verify(outageFrom(requestCount - 1), ...flags);
    expect(stdout).toMatch(/^ {2}videos-path +not determinable .*\n(.*\n)+Changed: 0 of 18\.\n$/m);
    expect(valuesIn(file)).toEqual(earlier);
    expect(code).toBe(2);
  });

  it("does not hide an earlier change", async () => {
    const file = fileOf({ ...defaultAssumptions, "created-status": "201" });
    const { code, stdout } = await verify(outageFrom(requestCount - 1), "--expect", file);
    expect(stdout).toContain("Changed: 1 of 18.\n");
    expect(code).toBe(1);
  });

  it("ends with 0 if the questions without a response have no expected value", async () => {
    const out = newFile();
    const { code } = await verify(
      outageFrom(requestCount - 1),
      ...["--expect", fileOf(without("videos-path")), "--out", out],
    );
    expect(valuesIn(out)).toEqual(without("videos-path"));
    expect(code).toBe(0);
  });

  it("is in the JSON report", async () => {
    const { code, stdout } = await verify(outageFrom(20), "--json");
    const { facts, assumptions } = JSON.parse(stdout);
    expect(facts.at(-1)).toEqual({
      fact: "every operation requires the Authorization header",
      verdict: "not determinable",
      detail: why("POST"),
    });
    expect(assumptions[0]).toEqual({
      id: "api-tokens",
      default: "listed",
      value: null,
      why: why("GET"),
      unanswered: true,
    });
    expect(code).toBe(2);
  });
});

const second = ["--second-api-token", "other-api-token"];
const verifyMock = (url: string, ...more: string[]) =>
  runHere(["verify", "--against", url, "--api-token", "test-api-token", "--yes", ...more]);

/** The lines below the heading of the comparison. */
const comparison = (stdout: string) => stdout.slice(stdout.indexOf("\nCompared with ") + 1).split("\n");

describe.concurrent("verify --expect", () => {
  it("ends with 0 if nothing has changed since --out", async () => {
    await using mock = await startMock({ assume: { "created-status": "201" } });
    const file = join(folder, "found.json");
    await verifyMock(mock.url, ...second, "--out", file);
    const { code, stdout } = await verifyMock(mock.url, ...second, "--expect", file);
    expect(comparison(stdout)).toEqual([`Compared with ${file}`, "", "Changed: 0 of 18.", ""]);
    expect(code).toBe(0);
  });

  it("prints each change, and ends with 1", async () => {
    await using mock = await startMock({ assume: { "created-status": "201", "rotated-token": "same" } });
    const file = fileOf(defaultAssumptions);
    const { code, stdout } = await verifyMock(mock.url, "--expect", file);
    expect(comparison(stdout)).toEqual([
      `Compared with ${file}`,
      "  CHANGED  created-status  from 200 to 201",
      "  CHANGED  rotated-token   from new to same",
      "",
      "Changed: 2 of 18.",
      "",
    ]);
    expect(code).toBe(1);
  });

  it("prints the drift as JSON, and can change the same file with --out", async () => {
    await using mock = await startMock({ assume: { "old-token": "accepted" } });
    const file = fileOf({ "old-token": "rejected", "created-status": 200, "group-scope": "global" });
    const { code, stdout } = await verifyMock(mock.url, "--expect", file, "--out", file, "--json");
    expect(JSON.parse(stdout).drift).toEqual([{ id: "old-token", expected: "rejected", found: "accepted" }]);
    const { "group-scope": scope, "foreign-token": foreign, ...found } = defaultAssumptions;
    // No second team was asked, so the earlier value stays.
    const assume = { ...found, "old-token": "accepted", "group-scope": "global" };
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ assume });
    expect(code).toBe(1);
  });
});

describe.concurrent("an invalid file of verify", () => {
  it.each([
    ["is missing", join(folder, "nowhere.json"), /nowhere\.json cannot be read: ENOENT/],
    ["is not JSON", textFile("{ s3cret"), /\d+\.json cannot be read: .*JSON/],
    [
      "has no values",
      textFile('{"port":0}'),
      /--expect .*\d+\.json has no assume\. Write it with verify --out/,
    ],
    [
      "has an unknown id",
      fileOf({ "old-tokn": "rejected" }),
      /no assumption old-tokn; did you mean old-token\?/,
    ],
  ])("is rejected with 2 before a request is sent: the file of --expect %s", async (_, file, words) => {
    await using mock = await startMock();
    const { code, stdout, stderr } = await verifyMock(mock.url, "--expect", file);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect([code, stdout]).toEqual([2, ""]);
    expect(await mock.requests()).toEqual([]);
  });

  it("is rejected with 2 before a request is sent: the file of --out, which stays as it is", async () => {
    await using mock = await startMock();
    const file = textFile('{ "prot": 1 }');
    const { code, stdout, stderr } = await verifyMock(mock.url, "--out", file);
    expect(stderr).toContain("unknown option prot; did you mean port?");
    expect([code, stdout, readFileSync(file, "utf8")]).toEqual([2, "", '{ "prot": 1 }']);
    expect(await mock.requests()).toEqual([]);
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { defaultAssumptions } from "../../../src/contract/assumptions.js";
import { startMock } from "../../../src/index.js";
import { runHere } from "../../cli/run-here.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-expect-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

vi.setConfig({ testTimeout: 60_000 });

const second = ["--second-api-token", "other-api-token"];
const argsFor = (url: string, ...more: string[]) => [
  ...["verify", "--against", url, "--api-token", "test-api-token", "--yes"],
  ...more,
];
const verify = (url: string, ...more: string[]) => runHere(argsFor(url, ...more));

let files = 0;
function fileOf(content: unknown): string {
  const file = join(folder, `expected-${++files}.json`);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const assumed = (assume: object) => fileOf({ assume });

/** The lines below the heading of the comparison. */
const comparison = (stdout: string) => stdout.slice(stdout.indexOf("\nCompared with ") + 1).split("\n");

describe.concurrent("verify --expect", () => {
  it("ends with 0 if nothing has changed since --out", async () => {
    await using mock = await startMock({ assume: { "created-status": "201" } });
    const file = join(folder, "found.json");
    await verify(mock.url, ...second, "--out", file);
    const { code, stdout } = await verify(mock.url, ...second, "--expect", file);
    expect(comparison(stdout)).toEqual([`Compared with ${file}`, "", "Changed: 0 of 18. Unknown: 0.", ""]);
    expect(code).toBe(0);
  });

  it("prints each change, and ends with 1", async () => {
    await using mock = await startMock({ assume: { "created-status": "201", "rotated-token": "same" } });
    const file = assumed(defaultAssumptions);
    const { code, stdout } = await verify(mock.url, "--expect", file);
    expect(comparison(stdout)).toEqual([
      `Compared with ${file}`,
      "  CHANGED  created-status  from 200 to 201",
      "  CHANGED  rotated-token   from new to same",
      "  UNKNOWN  group-scope     was per-team",
      "  UNKNOWN  old-token       was rejected",
      "  UNKNOWN  foreign-token   was rejected",
      "",
      "Changed: 2 of 18. Unknown: 3.",
      "",
    ]);
    expect(code).toBe(1);
  });

  it("prints the drift as JSON, and can change the same file with --out", async () => {
    await using mock = await startMock({ assume: { "old-token": "accepted" } });
    const file = assumed({ "old-token": "rejected", "created-status": 200, "group-scope": "global" });
    const { code, stdout } = await verify(mock.url, "--expect", file, "--out", file, "--json");
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
    ["is not JSON", fileOf("{ s3cret"), /expected-\d+\.json cannot be read: .*JSON/],
    [
      "has no values",
      fileOf({ port: 0 }),
      /--expect .*expected-\d+\.json has no assume\. Write it with verify --out/,
    ],
    [
      "has an unknown id",
      assumed({ "old-tokn": "rejected" }),
      /no assumption old-tokn; did you mean old-token\?/,
    ],
  ])("is rejected with 2 before a request is sent: the file of --expect %s", async (_, file, words) => {
    await using mock = await startMock();
    const { code, stdout, stderr } = await verify(mock.url, "--expect", file);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/s3cret|^ {4}at /m);
    expect([code, stdout]).toEqual([2, ""]);
    expect(await mock.requests()).toEqual([]);
  });

  it("is rejected with 2 before a request is sent: the file of --out, which stays as it is", async () => {
    await using mock = await startMock();
    const file = fileOf('{ "prot": 1 }');
    const { code, stdout, stderr } = await verify(mock.url, "--out", file);
    expect(stderr).toContain("unknown option prot; did you mean port?");
    expect([code, stdout, readFileSync(file, "utf8")]).toEqual([2, "", '{ "prot": 1 }']);
    expect(await mock.requests()).toEqual([]);
  });
});

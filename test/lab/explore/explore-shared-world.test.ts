import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { runHere } from "../../cli/run-here.js";

const fileOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-shared-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Tests with the set-up for node:test share the world `default` of their mock. */
const testFile = `
  const test = require("node:test");
  const clients = require(${JSON.stringify(fileOf("test/consumers/projects/customers.cjs"))});
  const { USERGROUP_MOCK_URL: url, USERGROUP_MOCK_API_TOKEN: token } = process.env;
  test("sturdy", () => clients.sturdy(url, token).tokenOf("acme"));
  test("hasty", async () => {
    const { status } = await clients.hasty(url, token).call("GET", { user_group_id: "acme", name: "Acme" });
    if (status !== 200) throw new Error("no group: " + status);
  });`;
writeFileSync(join(folder, "usergroup-mock.config.json"), "{}");
writeFileSync(join(folder, "a.test.cjs"), testFile);

const setUp = pathToFileURL(fileOf("dist/esm/frameworks/node-test-setup.js")).href;
const suite = ["--", process.execPath, "--import", setUp, "a.test.cjs"];
const explore = () =>
  runHere(["explore", "--faults", "--only", "unavailable", "--logs", "logs", ...suite], { cwd: folder });

describe("explore --faults of tests that share a world one after the other", () => {
  it("attributes each request and each break to its test", async () => {
    const { code, stdout, stderr } = await explore();
    const lines = stdout.split("\n");
    const table = lines.findIndex((line) => line.startsWith("  request "));
    expect(lines.slice(table, table + 6), stderr).toEqual([
      expect.stringMatching(/^ {2}request +unavailable$/),
      "  hasty (a.test.cjs)",
      expect.stringMatching(/^ {4}get-or-create:acme#1 +BREAKS$/),
      "",
      "1 request of 2: your tests pass with every failure.",
      // Each test has its failure and a run without one, and what broke is tried twice more: nothing else breaks so.
      expect.stringMatching(/^2 failures \(2 requests × 1 kind\) in \d runs: 1 survived, 1 broke\.$/),
    ]);
    expect(lines[0]).toBe('unavailable of get-or-create breaks "hasty" (a.test.cjs): no group: 503');
    expect(stdout).toMatch(
      /^ {2}repeat {2}npx usergroup-mock exec --inject hasty-[0-9a-f]{16}\/get-or-create:acme#1=unavailable -- .* a\.test\.cjs$/m,
    );
    expect(code).toBe(0);
  });
});

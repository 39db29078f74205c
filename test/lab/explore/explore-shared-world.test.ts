import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { runHere } from "../../cli/run-here.js";

vi.setConfig({ testTimeout: 120_000 });

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
      "  sturdy (a.test.cjs)",
      expect.stringMatching(/^ {4}get-or-create:acme#1 +survives$/),
      "  hasty (a.test.cjs)",
      expect.stringMatching(/^ {4}get-or-create:acme#1 +BREAKS$/),
      "",
    ]);
    expect(lines[0]).toBe('unavailable of get-or-create breaks "hasty" (a.test.cjs): no group: 503');
    expect(stdout).toMatch(
      /^ {2}repeat {2}npx usergroup-mock exec --inject hasty-[0-9a-f]{16}\/get-or-create:acme#1=unavailable -- .* a\.test\.cjs$/m,
    );
    expect(code).toBe(0);
  });
});

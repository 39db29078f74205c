import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runNode } from "../cli-process.js";
import { installInCache } from "./install-in-cache.mjs";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-jest-projects-"));
afterAll(() => rmSync(folder, { recursive: true }));

const entry = join(import.meta.dirname, "../../dist/cjs/frameworks/jest.js");
const jest = join(await installInCache("jest", ["jest@latest"]), "node_modules/jest/bin/jest.js");

writeFileSync(
  join(folder, "one.test.js"),
  `const { useMock } = require(${JSON.stringify(entry)});
   const mock = useMock();
   test("rotates", async () => {
     await mock.addGroup({ provided_id: fails, name: "A" });
     if (fails !== "never") throw new Error("failed in " + fails);
   });`,
);

/** Runs one test file in two projects. In each, the test fails with the given word, or does not fail if it is "never". */
async function runProjects(first: string, second: string, ...flags: string[]) {
  const projects = [first, second].map((fails) => ({ rootDir: folder, globals: { fails } }));
  writeFileSync(join(folder, "jest.config.json"), JSON.stringify({ projects }));
  const { stderr } = await runNode([jest, "--config", "jest.config.json", ...flags], { cwd: folder });
  return [...stderr.matchAll(/report: (usergroup-mock-report\/[\w-]+\.html)/g)].map(([, path = ""]) => path);
}

const reports = () => readdirSync(join(folder, "usergroup-mock-report")).length;

describe("a test file that Jest runs in two projects", () => {
  it.each([
    ["one after the other", "--runInBand"],
    ["at the same time", "--maxWorkers=2"],
  ])("saves a report for each failure, and removes reports of an earlier run: %s", async (_, flag) => {
    const paths = await runProjects("a", "b", flag);
    expect(new Set(paths).size).toBe(2);
    const pages = paths.map((path) => readFileSync(join(folder, path), "utf8"));
    const groups = pages.map((page) => /"provided_id":"(a|b)"/.exec(page)?.[1]);
    expect([groups.sort(), reports()]).toEqual([["a", "b"], 2]);
    expect(await runProjects("never", "c", flag)).toHaveLength(1);
    expect(reports()).toBe(1);
    expect(await runProjects("never", "never", flag)).toEqual([]);
    expect(reports()).toBe(0);
  });
});

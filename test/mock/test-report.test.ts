import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { saveText } from "../../src/foundation/save-text.js";
import { TestReport, testReportsVariable } from "../../src/mock/test-report.js";
import type { World } from "../../src/mock/world.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "usergroup-mock-test-reports-"));
  vi.stubEnv(testReportsVariable, folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const page = "<!doctype html>\n<html></html>\n";
// Nothing else of a world is used.
const world = { saveReport: (path: string) => saveText(path, page) } as World;

const fail = (run?: string, name = "test-12345678") => new TestReport(name, run).save(world);
const pass = (run?: string, name = "test-12345678") => new TestReport(name, run).remove();

describe("the report of a test", () => {
  it("is removed when the test passes, and those of other tests are not", async () => {
    await fail();
    await fail(undefined, "test");
    await fail(undefined, "test-123456789");
    await pass();
    expect(readdirSync(folder)).toEqual(["test-123456789.html", "test.html"]);
    await pass(undefined, "none");
  });

  it("is a file of its own if the same test fails in two projects of one run", async () => {
    const paths = [await fail("1"), await fail("1")];
    expect(paths).toEqual(["test-12345678.html", "test-12345678-2.html"].map((name) => join(folder, name)));
    for (const path of paths) {
      expect(readFileSync(path, "utf8")).toBe(`<!-- usergroup-mock: run 1 -->\n${page}`);
    }
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it("stays if the test passes in another project of the run, and goes with a later run", async () => {
    await Promise.all([fail("1"), fail("1")]);
    await pass("1");
    expect(readdirSync(folder)).toHaveLength(2);
    expect(await fail("2")).toBe(join(folder, "test-12345678.html"));
    expect(readdirSync(folder)).toHaveLength(2);
    await pass("2");
    expect(readdirSync(folder)).toEqual(["test-12345678.html"]);
    await pass("3");
    expect(readdirSync(folder)).toEqual([]);
  });
});

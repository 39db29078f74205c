import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { saveText } from "../../src/foundation/save-text.js";
import { TestReportFile, testReportsVariable } from "../../src/mock/test-report-file.js";

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
const write = (path: string) => saveText(path, page);

const name = "test-12345678";
const fail = (run: string, part: string) => new TestReportFile(name, { run, part }).save(write);
const pass = (run: string, part: string) => new TestReportFile(name, { run, part }).remove();

describe("the report of a test", () => {
  it("is removed when the test passes, and those of other tests are not", async () => {
    for (const one of [name, name, "test", "test-123456789"])
      await new TestReportFile(one, undefined).save(write);
    for (const one of [name, "none"]) await new TestReportFile(one, undefined).remove();
    expect(readdirSync(folder)).toEqual(["test-123456789.html", "test.html"]);
  });

  it("is a file of its own if the same test fails in two projects of one run", async () => {
    const paths = [await fail("1", "a"), await fail("1", "b")];
    expect(paths).toEqual([`${name}.html`, `${name}-2.html`].map((file) => join(folder, file)));
    const pages = paths.map((path) => readFileSync(path, "utf8"));
    expect(pages).toEqual(
      ["a", "b"].map(
        (part) => `<!doctype html>\n<!-- usergroup-mock: run 1, part ${part} -->\n<html></html>\n`,
      ),
    );
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it("replaces that of an earlier attempt", async () => {
    expect(await fail("1", "a")).toBe(await fail("1", "a"));
    await pass("1", "a");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("stays if the test passes in another project of the run, and goes with a later run", async () => {
    await Promise.all([fail("1", "a"), fail("1", "b")]);
    await pass("1", "c");
    expect(readdirSync(folder)).toHaveLength(2);
    expect(await fail("2", "a")).toBe(join(folder, `${name}.html`));
    expect(readdirSync(folder)).toHaveLength(2);
    await pass("2", "b");
    expect(readdirSync(folder)).toEqual([`${name}.html`]);
    await pass("3", "a");
    expect(readdirSync(folder)).toEqual([]);
  });
});

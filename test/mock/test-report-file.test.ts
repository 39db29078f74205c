import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
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

const name = "test-12345678";
const test = { title: "rotates", framework: "Jest", attempt: 1 };
const world = { saveReport: (path: string) => saveText(path, "<body>a world</body>") };

const fail = (isAmbiguous: boolean, file = name) => new TestReportFile(file, isAmbiguous).save(world, test);
const pass = (isAmbiguous: boolean, file = name) => new TestReportFile(file, isAmbiguous).remove();

/** As if an earlier run had written the report. */
function age(path: string): void {
  utimesSync(path, new Date(performance.timeOrigin - 1_000), new Date(performance.timeOrigin - 1_000));
}

describe("the report of a failed test", () => {
  it("has the test beside the data of its world", async () => {
    const page = readFileSync(await fail(false), "utf8");
    const element = `<script type="application/json" id="test">${JSON.stringify(test)}</script>`;
    expect(page).toBe(`<body>a world${element}\n  </body>`);
  });

  it("is removed when the test passes, but not reports of other tests", async () => {
    for (const file of [name, name, "test", "test-123456789"]) await fail(false, file);
    for (const file of [name, "none"]) await pass(false, file);
    expect(readdirSync(folder)).toEqual(["test-123456789.html", "test.html"]);
  });

  it("replaces the report of an earlier attempt", async () => {
    expect(await fail(false)).toBe(await fail(false));
    expect(readdirSync(folder)).toHaveLength(1);
  });
});

describe("the report of a test that Jest runs in several projects", () => {
  it("is a separate file for each project in which the test fails", async () => {
    const paths = await Promise.all([fail(true), fail(true)]);
    expect(paths.sort()).toEqual([`${name}-2.html`, `${name}.html`].map((file) => join(folder, file)));
  });

  it("stays if the test passes in another project of the run", async () => {
    await fail(true);
    await pass(true);
    expect(readdirSync(folder)).toEqual([`${name}.html`]);
  });

  it("is replaced when the test fails in a later run, and removed when it passes", async () => {
    for (const path of [await fail(true), await fail(true)]) age(path);
    const path = await fail(true);
    expect(path).toBe(join(folder, `${name}.html`));
    expect(readdirSync(folder)).toHaveLength(1);
    age(path);
    await pass(true);
    expect(readdirSync(folder)).toEqual([]);
  });
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { saveText } from "../../src/foundation/save-text.js";
import { TestReportFile } from "../../src/frameworks/test-report-file.js";
import { testReportsVariable } from "../../src/options/names.js";

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
const world = {
  saveReport: async (path = "") => {
    await saveText(path, "<body>a world</body>");
    return path;
  },
};

const fail = (file = name) => new TestReportFile(folder, file, false).save(world, test);
const pass = (file = name) => new TestReportFile(folder, file, false).remove();

/** As if an earlier run had written the report. */
function age(path: string): void {
  utimesSync(path, new Date(performance.timeOrigin - 1_000), new Date(performance.timeOrigin - 1_000));
}

describe("the report of a failed test", () => {
  it("has the test and the data of its world", async () => {
    const page = readFileSync(await fail(), "utf8");
    const element = `<script type="application/json" id="test">${JSON.stringify(test)}</script>`;
    expect(page).toBe(`<body>a world${element}\n  </body>`);
  });

  it("is removed when the test passes, but not reports of other tests", async () => {
    for (const file of [name, name, "test", "test-123456789"]) await fail(file);
    for (const file of [name, "none"]) await pass(file);
    expect(readdirSync(folder)).toEqual(["test-123456789.html", "test.html"]);
  });

  it("replaces the report of an earlier attempt", async () => {
    expect(await fail()).toBe(await fail());
    expect(readdirSync(folder)).toHaveLength(1);
  });
});

describe("the report of a test that Jest runs in several projects", () => {
  /** The report of the test in another project: Jest loads the module anew. */
  async function inProject() {
    vi.resetModules();
    const loaded = await import("../../src/frameworks/test-report-file.js");
    return new loaded.TestReportFile(folder, name, true);
  }

  it("is a separate file for each project in which the test fails", async () => {
    const [one, other] = [await inProject(), await inProject()];
    const paths = await Promise.all([one.save(world, test), other.save(world, test)]);
    expect(paths.sort()).toEqual([`${name}-2.html`, `${name}.html`].map((file) => join(folder, file)));
  });

  it("replaces the report of an earlier attempt in its own project", async () => {
    const [one, other] = [await inProject(), await inProject()];
    await other.save(world, test);
    expect(await one.save(world, test)).toBe(await one.save(world, test));
    await one.remove();
    expect(readdirSync(folder)).toEqual([`${name}.html`]);
  });

  it("stays if the test passes in another project of the run", async () => {
    const [one, other] = [await inProject(), await inProject()];
    await one.save(world, test);
    await other.remove();
    expect(readdirSync(folder)).toEqual([`${name}.html`]);
  });

  it("is replaced when the test fails in a later run, and removed when it passes", async () => {
    const [one, other] = [await inProject(), await inProject()];
    for (const path of [await one.save(world, test), await other.save(world, test)]) age(path);
    const later = await inProject();
    const path = await later.save(world, test);
    expect(path).toBe(join(folder, `${name}.html`));
    expect(readdirSync(folder)).toHaveLength(1);
    age(path);
    await (await inProject()).remove();
    expect(readdirSync(folder)).toEqual([]);
  });
});

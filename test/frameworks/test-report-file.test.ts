import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { saveText } from "../../src/foundation/save-text.js";
import { saveTestReport } from "../../src/frameworks/test-world.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "usergroup-mock-test-reports-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const test = { title: "rotates", framework: "Jest", attempt: 1 };
const world = {
  saveReport: async (path = "") => {
    await saveText(path, "<body>a world</body>");
    return path;
  },
};

describe("the report of a failed test", () => {
  it("has the test and the data of its world, and replaces that of an earlier attempt", async () => {
    const path = join(folder, "test-12345678.html");
    expect(await saveTestReport(path, world, { ...test, title: "a longer title" })).toBe(path);
    await saveTestReport(path, world, test);
    const element = `<script type="application/json" id="test">${JSON.stringify(test)}</script>`;
    expect(readFileSync(path, "utf8")).toBe(`<body>a world${element}\n  </body>`);
    expect(readdirSync(folder)).toHaveLength(1);
  });
});

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { lineIn, lineOfTitles, reportDirectory, showFailedTest } from "../../src/client/reported-test.js";
import { variables } from "../../src/options/names.js";

describe("lineIn", () => {
  const stack =
    "Error: no\n    at f (/src/program.js:3:1)\n    at /src/a.test.js:11:20\n    at /src/a.test.js:9:1";

  it("returns the innermost line of the file in the stack", () => {
    expect(lineIn("/src/a.test.js", { stack })).toBe(11);
    expect(lineIn("/src/program.js", { stack })).toBe(3);
  });

  it("returns undefined if the stack does not have the file, or if there is no stack", () => {
    for (const thrown of [{ stack }, { stack: 5 }, "text", null, undefined]) {
      expect(lineIn("/src/other.test.js", thrown)).toBeUndefined();
    }
  });
});

describe("lineOfTitles", () => {
  const source = `const name = "works";
describe("A", () => {
  test('works', () => {});
});
describe("B", () => {
  test(\`works\`, () => {});
  test.each([1])("adds %i", () => {});
});
describe("C", () => {
  test("C", () => {});
});
`;
  const file = join(mkdtempSync(join(tmpdir(), "usergroup-mock-titles-")), "titles.test.js");
  writeFileSync(file, source);

  it.each([
    [["A", "works"], 3],
    [["B", "works"], 6],
    [["works"], 3],
    [["B"], 5],
    [["C", "C"], 10],
    [["B", "adds 1"], undefined],
    [["B", "A"], undefined],
  ])("of %j is %s", (titles, line) => {
    expect(lineOfTitles(file, titles)).toBe(line);
  });

  it("is unknown if the file cannot be read", () => {
    expect(lineOfTitles(`${file}.gone`, ["A"])).toBeUndefined();
  });
});

describe("showFailedTest", () => {
  const failed = { title: "is unstable", framework: "tap", attempt: 2 };
  const file = join(mkdtempSync(join(tmpdir(), "usergroup-mock-shown-")), "shown.test.js");
  writeFileSync(file, '\ntest("is unstable", () => {});\n');

  it("returns the file from the working directory, and the line of the error, or else of the title", () => {
    const shown = { ...failed, file: relative("", file), error: { message: "no" } };
    const error = Object.assign(new Error("no"), { stack: `Error: no\n    at ${file}:11:20` });
    expect(showFailedTest({ ...failed, file, error })).toMatchObject({ ...shown, line: 11 });
    expect(showFailedTest({ ...failed, file, error: { message: "no" } })).toMatchObject({
      ...shown,
      line: 2,
    });
  });

  it("returns no line without a file", () => {
    expect(showFailedTest({ ...failed, error: "no" })).toEqual({ ...failed, error: { message: "no" } });
  });
});

describe("reportDirectory", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("is in the root of the project, unless explore names another one", () => {
    vi.stubEnv(variables.testReports, undefined);
    expect([reportDirectory(), reportDirectory("/shop")]).toEqual([
      "usergroup-mock-report",
      join("/shop", "usergroup-mock-report"),
    ]);
    vi.stubEnv(variables.testReports, "/logs");
    expect(reportDirectory("/shop")).toBe("/logs");
  });
});

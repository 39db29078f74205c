import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  errorOfTest,
  lineIn,
  lineOfTitles,
  reportDirectory,
  showFailedTest,
} from "../../src/client/reported-test.js";
import { variables } from "../../src/options/names.js";
import type { FailedLines } from "../../src/report/report-data.js";

describe("showFailedTest", () => {
  const failed = { title: "is unstable", framework: "tap", attempt: 2 };
  const file = join(mkdtempSync(join(tmpdir(), "usergroup-mock-shown-")), "shown.test.js");
  writeFileSync(file, '\ntest("is unstable", () => {});\n');

  it("returns the file from the working directory, and the line of the error, or else of the title", () => {
    const shown = { ...failed, file: relative("", file), error: { message: "no", lines: {} } };
    const error = Object.assign(new Error("no"), { stack: `Error: no\n    at ${file}:11:20` });
    expect(showFailedTest({ ...failed, file, error })).toMatchObject({ ...shown, line: 11 });
    expect(showFailedTest({ ...failed, file, error: { message: "no" } })).toMatchObject({
      ...shown,
      line: 2,
    });
  });

  it("returns no line without a file", () => {
    expect(showFailedTest({ ...failed, error: "no" })).toEqual({
      ...failed,
      error: { message: "no", lines: {} },
    });
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

describe("the lines of a test", () => {
  const source = `import { connect } from "./program.js";
beforeEach(() => connect());
const expectOk = (response) => expect(response.status).toBe(200);
test("fails", async () => {
  expect((await rotate("unknown")).status).toBe(404);
  await expect(rotate("other")).rejects.toThrow();
  expect(rows.length).toBe(200);
  assert.equal(
    response.statusCode,
    200,
  );
  expectOk(response);
  expect(statuses).toEqual([200]);
});
test("throws", async () => {
  JSON.parse("{");
});
`;
  const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-lines-"));
  const [file, program] = [join(folder, "lines.test.js"), join(folder, "program.js")];
  writeFileSync(file, source);
  const stackOf = (...places: string[]) =>
    ["Error: no", ...places.map((place) => `    at f (${place}:1)`)].join("\n");
  const at = (line: number) => `${file}:${line}`;
  const library = join(folder, "node_modules/library.js:1");
  const handled = { statuses: [404], handleRejections: true, thrownIn: "test" } as const;

  it.each<[what: string, stack: string, title: string, lines: FailedLines]>([
    ["that compare a status", stackOf(at(5)), "fails", { nameStatus: true, thrownIn: "test" }],
    ["that have handled a status", stackOf(at(6)), "fails", { statuses: [404], thrownIn: "test" }],
    ["that have handled a rejection", stackOf(at(7)), "fails", handled],
    ["of a statement", stackOf(at(11)), "fails", { nameStatus: true, ...handled }],
    ["of a function above the test", stackOf(at(3), at(12)), "fails", { nameStatus: true, ...handled }],
    ["that compare several statuses", stackOf(at(13)), "fails", handled],
    ["whose stack has URLs", stackOf(`${pathToFileURL(file)}:16`), "throws", { thrownIn: "test" }],
    ["that call a program", stackOf(`${program}:1`, at(16)), "throws", {}],
    ["that call a library", stackOf("node:fs:1", library, at(16)), "throws", {}],
    ["of a hook", stackOf(`${program}:1`, at(2)), "throws", { thrownIn: "hook" }],
    ["that are not in the stack", stackOf(library), "throws", {}],
    ["of which there is no title", stackOf(at(16)), "is not there", { thrownIn: "test" }],
  ])("%s", (_, stack, title, lines) => {
    expect(errorOfTest({ stack }, file, [title])?.lines).toEqual(lines);
  });
});

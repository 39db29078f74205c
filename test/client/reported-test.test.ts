import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { reportDirectory, showFailedTest } from "../../src/client/reported-test.js";
import { variables } from "../../src/options/names.js";

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

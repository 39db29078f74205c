import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { lastLines } from "../../src/lab/explore/evidence.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-evidence-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the last lines of a log", () => {
  it("have no terminal codes", () => {
    const log = join(folder, "run.log");
    writeFileSync(log, "\u001b[31mred\u001b[39m, \u001b[1;38;5;9mbold\u001b[m\u001b[2J\n");
    expect(lastLines(log)).toBe("  | red, bold");
  });
});

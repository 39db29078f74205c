import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LogFolder } from "../../../src/lab/explore/log-folder.js";

it("a folder of --logs keeps the files that it has, although git ignores some of them", () => {
  const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-logs-"));
  try {
    for (const name of [".gitignore", "mine.txt"]) writeFileSync(join(folder, name), "*");
    new LogFolder(folder).removeRest();
    expect(readdirSync(folder).sort()).toEqual([".gitignore", "mine.txt"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

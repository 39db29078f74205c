import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { saveText } from "../../src/foundation/save-text.js";

it("saveText creates missing folders, replaces a file, and rejects a folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-save-"));
  const deep = join(folder, "a", "b", "c.txt");
  await saveText(deep, "a text: ü😀");
  expect(readFileSync(deep, "utf8")).toBe("a text: ü😀");
  await saveText(deep, "shorter");
  expect(readFileSync(deep, "utf8")).toBe("shorter");
  await expect(saveText(folder, "text")).rejects.toMatchObject({ code: "EISDIR" });
});

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { saveText } from "../../src/foundation/save-text.js";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "usergroup-mock-save-"));
  file = join(folder, "file.txt");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("saveText", () => {
  it("creates missing folders, and replaces a file", async () => {
    const deep = join(folder, "a", "b", "c.txt");
    await saveText(deep, "a text: ü😀");
    expect(readFileSync(deep, "utf8")).toBe("a text: ü😀");
    await saveText(deep, "shorter");
    expect(readFileSync(deep, "utf8")).toBe("shorter");
    expect(readdirSync(join(folder, "a", "b"))).toEqual(["c.txt"]);
  });

  it("writes to the target of a symbolic link", async () => {
    mkdirSync(join(folder, "real"));
    writeFileSync(join(folder, "real", "file.txt"), "before");
    symlinkSync(join(folder, "real", "file.txt"), file);
    await saveText(file, "after");
    expect(readFileSync(join(folder, "real", "file.txt"), "utf8")).toBe("after");
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
  });

  it("writes to a device, and rejects a folder", async () => {
    await saveText("/dev/null", "text");
    await expect(saveText(folder, "text")).rejects.toMatchObject({ code: "EISDIR" });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("writes to a file in a folder that is not writable", async (context) => {
    if (process.getuid?.() === 0) context.skip("root may write everywhere");
    writeFileSync(file, "before");
    chmodSync(folder, 0o500);
    try {
      await saveText(file, "after");
      expect(readFileSync(file, "utf8")).toBe("after");
    } finally {
      chmodSync(folder, 0o700);
    }
  });
});

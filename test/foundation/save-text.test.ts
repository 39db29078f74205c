import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { saveText, trySave, withPath } from "../../src/foundation/save-text.js";

it("saveText creates missing folders, replaces a file, and rejects a folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-save-"));
  const deep = join(folder, "a", "b", "c.txt");
  await saveText(deep, "a text: ü😀");
  expect(readFileSync(deep, "utf8")).toBe("a text: ü😀");
  await saveText(deep, "shorter");
  expect(readFileSync(deep, "utf8")).toBe("shorter");
  await expect(saveText(folder, "text")).rejects.toMatchObject({ code: "EISDIR" });
});

const newFolder = () => mkdtempSync(join(tmpdir(), "usergroup-mock-save-"));

it("saveText leaves the file as it was, and nothing beside it, if the text cannot be made", async () => {
  const folder = newFolder();
  const file = join(folder, "file.txt");
  writeFileSync(file, "before");
  function* failing() {
    yield "half";
    throw new Error("no more");
  }
  await expect(saveText(file, failing())).rejects.toThrow("no more");
  expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["before", ["file.txt"]]);
});

it("saveText keeps a symbolic link and the mode of the file, and writes to a device", async () => {
  const folder = newFolder();
  const [file, link] = [join(folder, "file.txt"), join(folder, "link.txt")];
  writeFileSync(file, "before");
  chmodSync(file, 0o600);
  symlinkSync("file.txt", link);
  await saveText(link, "after");
  expect([readFileSync(file, "utf8"), lstatSync(link).isSymbolicLink()]).toEqual(["after", true]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await saveText("/dev/null", "nothing");
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
});

it("saveText and trySave remove the folders that they have created, if the file cannot be written", async () => {
  const folder = newFolder();
  const file = join(folder, "a", "b", `${"x".repeat(300)}.txt`);
  await expect(saveText(file, "text")).rejects.toThrow("ENAMETOOLONG");
  await expect(trySave(file)).rejects.toThrow("ENAMETOOLONG");
  expect(readdirSync(folder)).toEqual([]);
});

it("withPath adds the path to the message of an error that has none", () => {
  expect(withPath("/a/b", "ENOSPC: no space left on device, write")).toBe(
    "ENOSPC: no space left on device, write '/a/b'",
  );
  expect(withPath("/a/b", "EISDIR: x, open '/a/b'")).toBe("EISDIR: x, open '/a/b'");
});

it("trySave rejects where saveText would, with the name of the file, and changes nothing", async () => {
  const folder = newFolder();
  const file = join(folder, "file.txt");
  writeFileSync(file, "before");
  for (const path of [file, join(folder, "new.txt"), "/dev/null"]) await trySave(path);
  expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["before", ["file.txt"]]);
  await expect(trySave(folder)).rejects.toMatchObject({ code: "EISDIR" });
  await expect(trySave(join(file, "below"))).rejects.toMatchObject({ code: "EEXIST" });
  const missing = join(folder, `${"x".repeat(300)}.txt`);
  await expect(trySave(missing)).rejects.toThrow(new RegExp(`ENAMETOOLONG: .*'${missing}'`));
});

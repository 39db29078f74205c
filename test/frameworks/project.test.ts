import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findConfigFile, requireVersion, rootOf } from "../../src/frameworks/project.js";

const configFile = "usergroup-mock.config.json";
let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "usergroup-mock-root-"));
  root = join(folder, "repository/packages/shop");
  write("repository/packages/shop/package.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, content = {}): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
  return file;
}

describe("the config file of a project", () => {
  it("is the one in its root, if it is there", () => {
    write(`repository/${configFile}`);
    const own = write(`repository/packages/shop/${configFile}`);
    expect(findConfigFile(root)).toBe(own);
  });

  it("is the nearest one above its root, up to the directory with .git", () => {
    write("repository/.git/HEAD");
    const outside = write(configFile);
    expect(findConfigFile(root)).toBeUndefined();
    expect(findConfigFile(folder)).toBe(outside);
    const ofRepository = write(`repository/${configFile}`);
    expect(findConfigFile(root)).toBe(ofRepository);
    const nearer = write(`repository/packages/${configFile}`);
    expect(findConfigFile(root)).toBe(nearer);
  });

  it("is also looked for without .git, up to the topmost directory with a package.json", () => {
    write("repository/package.json");
    const ofRepository = write(`repository/${configFile}`);
    expect(findConfigFile(root)).toBe(ofRepository);
  });
});

describe("the root of a project without a setting", () => {
  it("is the nearest directory above the test file with a package.json or a config file", () => {
    write("repository/package.json");
    const file = join(root, "test/unit/some.test.js");
    expect(rootOf(file)).toBe(root);
    write("repository/packages/shop/test/jest.config.js");
    expect(rootOf(file)).toBe(join(root, "test"));
  });

  it.each(["js", "ts", "mjs", "cjs", "mts", "cts", "json"])("can have jest.config.%s", (type) => {
    write(`repository/packages/shop/test/jest.config.${type}`);
    expect(rootOf(join(root, "test/some.test.js"))).toBe(join(root, "test"));
  });

  it("is the working directory if there is no such file, or no test file", () => {
    expect(rootOf(join(folder, "some.test.js"))).toBe(process.cwd());
    expect(rootOf()).toBe(process.cwd());
  });
});

describe("a framework", () => {
  const requireFrom = (version: string) => {
    write("repository/node_modules/framework/package.json", { version });
    return () => requireVersion("framework", "1.10", join(root, "some.test.js"));
  };

  it.each(["1.10.0", "1.11.2", "2.0.0"])("of a version that is supported is accepted: %s", (version) => {
    expect(requireFrom(version)).not.toThrow();
  });

  it.each(["1.9.3", "0.20.0"])("that is too old is rejected, in one line: %s", (version) => {
    const message = `usergroup-mock needs framework 1.10 or later, but this is ${version}. Update it, or use startMock().`;
    expect(requireFrom(version)).toThrow(expect.objectContaining({ message, stack: message }));
  });

  it("is accepted if another package contains it", () => {
    expect(() => requireVersion("framework", "1.10", join(root, "some.test.js"))).not.toThrow();
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { requireVersion } from "../../src/frameworks/framework-version.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-versions-"));
const file = join(folder, "some.test.js");
afterAll(() => rmSync(folder, { recursive: true }));

describe("a version of a framework", () => {
  it.each([
    ["3.1.4", "3.2", false],
    ["3.2.0", "3.2", true],
    ["1.9.0", "1.40", false],
    ["29.0.0", "29", true],
    ["5.0.0-beta.1", "3.2", true],
  ])("%s is checked against %s: %j", (version, oldest, isSupported) => {
    // Node loads the package.json of each name once.
    mkdirSync(join(folder, "node_modules", version), { recursive: true });
    writeFileSync(join(folder, "node_modules", version, "package.json"), JSON.stringify({ version }));
    const check = () => requireVersion(version, oldest, file);
    if (isSupported) check();
    else expect(check).toThrow(`needs ${version} ${oldest} or later, but this is ${version}.`);
  });

  it("is not checked if another package brings the framework", () => {
    for (const from of [file, ""]) requireVersion("no-such-framework", "1", from);
  });
});

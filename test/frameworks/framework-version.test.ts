import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { requireVersion } from "../../src/frameworks/framework-version.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-versions-"));
const file = join(folder, "some.test.js");
afterAll(() => rmSync(folder, { recursive: true }));

/** Node loads a package.json once. */
function install(version: string): string {
  const own = join(folder, "node_modules", version);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "package.json"), JSON.stringify({ version }));
  return version;
}

describe("a framework that is too old", () => {
  it.each([
    ["2.1.9", "3.2"],
    ["3.1.4", "3.2"],
    ["1.9.0", "1.40"],
    ["28.1.3", "29"],
  ])("is rejected with one line: %s instead of %s", (version, oldest) => {
    const message = `usergroup-mock needs ${version} ${oldest} or later, but this is ${version}. Update it, or use startMock().`;
    expect(() => requireVersion(install(version), oldest, file)).toThrow(
      expect.objectContaining({ message, stack: message }),
    );
  });

  it.each([
    ["3.2.0", "3.2"],
    ["3.10.0", "3.2"],
    ["29.0.0", "29"],
    ["5.0.0-beta.1", "3.2"],
  ])("is not one of a supported version: %s for %s", (version, oldest) => {
    requireVersion(install(version), oldest, file);
  });

  it("is not one that cannot be found, because another package brings it", () => {
    requireVersion("no-such-framework", "1", file);
    requireVersion("no-such-framework", "1", "");
  });
});

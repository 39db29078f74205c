import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const script = fileURLToPath(new URL("../../src/build/check-address.mjs", import.meta.url));

it("refuses to publish a package without public addresses", () => {
  const cwd = mkdtempSync(join(tmpdir(), "usergroup-mock-address-"));
  const check = (manifest: object) => {
    writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest));
    return spawnSync(process.execPath, [script], { cwd, encoding: "utf8" });
  };
  const addresses = { repository: { url: "a" }, homepage: "b", bugs: { url: "c" } };
  expect(check(addresses)).toMatchObject({ status: 0, stderr: "" });
  const { homepage, ...others } = addresses;
  expect(check(others).status).toBe(1);
  expect(check(others).stderr).toContain("package.json has no homepage. Set");
  rmSync(cwd, { recursive: true });
});

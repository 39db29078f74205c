import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../call.js";
import { runNode, startNode } from "../cli-process.js";

const root = join(import.meta.dirname, "../..");
let clone: string;
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), "usergroup-mock-clone-"));
  for (const name of [
    "bin",
    "src",
    "schemas",
    "fixtures",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
  ])
    cpSync(join(root, name), join(clone, name), { recursive: true });
  rmSync(join(clone, "src/generated"), { recursive: true });
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

const bin = () => join(clone, "bin/usergroup-mock.cjs");
const edit = (file: string, change: (text: string) => string) =>
  writeFileSync(join(clone, file), change(readFileSync(join(clone, file), "utf8")));

describe("the command in a clone of the repository", () => {
  it("prints what to run if nothing is installed", async () => {
    const { code, stdout, stderr } = await runNode([bin(), "--version"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/\nusergroup-mock could not be built\. Run npm install && npm run build\.\n$/);
  });

  it("builds again after a schema and a fixture were edited", async () => {
    cpSync(join(root, "dist"), join(clone, "dist"), { recursive: true });
    edit("schemas/rotate.request.json", (text) =>
      text.replace('"minLength": 1', '"minLength": 1, "pattern": "^x"'),
    );
    edit("fixtures/default.json", (text) => text.replaceAll("test-api-token", "edited-api-token"));
    symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
    await using cli = startNode([bin(), "--port", "0"]);
    const { status, body } = await call(
      "POST",
      `${await cli.ready}/api/user`,
      { current_token: "y" },
      {
        headers: { Authorization: "Token edited-api-token" },
      },
    );
    expect([status, body.error.details[0].path]).toEqual([400, "/current_token"]);
    expect(cli.stderr()).toBe("");
  });

  it("does not build again if nothing was edited", async () => {
    const { ino } = statSync(join(clone, "dist"));
    const { code, stdout, stderr } = await runNode([bin(), "--version"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(statSync(join(clone, "dist")).ino).toBe(ino);
  });

  it("prints what to run if the build fails", async () => {
    edit("schemas/rotate.request.json", (text) => `${text}this is not JSON`);
    const { code, stdout, stderr } = await runNode([bin(), "--version"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/\nusergroup-mock could not be built\. Run npm install && npm run build\.\n$/);
  });
});

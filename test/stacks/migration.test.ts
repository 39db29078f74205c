import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plain } from "../consumers/frameworks.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { blocksOfPage } from "../consumers/page-blocks.js";
import { run } from "../consumers/processes.js";

const blocks = blocksOfPage("coming-from-nock-or-msw.md");

let inUse: PackageInUse;
let cwd: string;
beforeAll(async () => {
  inUse = await usePackage();
  cwd = await inUse.install("migration", ["vitest@4", "vite@7", "nock@13", "msw@2"]);
  for (const { file, text } of blocks) await writeFile(join(cwd, file), text);
}, 120_000);
afterAll(() => inUse?.remove());

const vitest = (...args: string[]) => run("npx", ["vitest", "run", ...args], { cwd, env: plain });

describe("docs/coming-from-nock-or-msw.md", () => {
  it("has only blocks that are files", () => {
    expect(blocks.map(({ file }) => file)).not.toContain("");
  });

  it.each(["mock", "nock", "msw"])("shows the same three tests with %s, and they pass", async (name) => {
    const titles = (file: string) =>
      blocks.find((block) => block.file === file)?.text.match(/(?<=^test\()"[^"]+"/gm);
    expect(titles(`${name}.test.js`)).toHaveLength(3);
    expect(titles(`${name}.test.js`)).toEqual(titles("mock.test.js"));
    expect(await vitest(`${name}.test.js`)).toContain("3 passed");
  });

  it.each(["nock", "msw"])(
    "shows the line that lets requests pass to the mock if %s is used too",
    async (name) => {
      const file = `${name}-beside.test.js`;
      expect(await vitest(file)).toContain("1 passed");
      const text = blocks.find((block) => block.file === file)?.text ?? "";
      const withoutLine = text
        .replace(/^nock\.enable.*$/m, "")
        .replace(/setupServer\(http.*\)\);/, "setupServer();");
      expect(withoutLine).not.toBe(text);
      await writeFile(join(cwd, `${name}-blocked.test.js`), withoutLine);
      await expect(vitest(`${name}-blocked.test.js`)).rejects.toThrow(/1 failed/);
    },
  );

  it("is right that msw ignores the body of a GET", async () => {
    const test = `
      import { http } from "msw";
      import { setupServer } from "msw/node";
      import { expect, test } from "vitest";
      import { customerOf } from "./customers.js";
      test("sees no body", async () => {
        let seen;
        const server = setupServer(
          http.get("http://service.test/api/user", async ({ request }) => {
            seen = await request.text();
            return Response.json({ success: 1 });
          }),
        );
        server.listen();
        await customerOf({ baseUrl: "http://service.test", apiToken: "secret" }, "acme", "Acme");
        server.close();
        expect(seen).toBe("");
      });`;
    await writeFile(join(cwd, "body-of-get.test.js"), test);
    expect(await vitest("body-of-get.test.js")).toContain("1 passed");
  });
});

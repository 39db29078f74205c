import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { getOrCreate } from "../call.js";
import { blockOf, examples, executedPages, shellOf } from "./documents.js";
import { type PackageInUse, repository, usePackage } from "./package-in-use.js";
import { blocksOfPage } from "./page-blocks.js";
import { run } from "./processes.js";

let inUse: PackageInUse;
let project: string;
beforeAll(async () => {
  inUse = await usePackage();
  project = await inUse.link("documents", ["vitest"]);
  for (const { file, text } of examples) await writeFile(join(project, file), text);
});
afterAll(() => inUse?.remove());

const node = (...args: string[]) => run(process.execPath, args, { cwd: project, env: { NO_COLOR: "1" } });
const json = (kind: string) => JSON.parse(blockOf("json", kind).text);

// frameworks.test.ts executes the examples for Playwright, test/stacks/smoke.test.ts the one for Jest, and
// test/stacks/documents.test.ts the commands.
describe("the README and docs/", () => {
  it("have only blocks that a test executes", () => {
    const kinds = executedPages.flatMap(({ blocks }) =>
      blocks.map(({ language, kind }) => `${language} ${kind}`.trim()),
    );
    expect(new Set(kinds)).toEqual(
      new Set([
        "sh",
        "ts",
        "js",
        "json response",
        "json failure",
        "json fixture",
        "json schema",
        "text explore",
        "text faults",
      ]),
    );
    const begins = executedPages.flatMap(({ page }) =>
      shellOf(page).map((text) => `${page}: ${text.split(" ").slice(0, 4).join(" ")}`),
    );
    expect(begins).toEqual([
      "README.md: npm install --save-dev usergroup-mock",
      "README.md: npx usergroup-mock --port 4010",
      "README.md: curl -X GET http://127.0.0.1:4010/api/user",
      "README.md: curl -X POST http://127.0.0.1:4010/__admin/reset",
      "README.md: npx usergroup-mock exec --set",
      "README.md: npx usergroup-mock exec --set",
      "README.md: npm install && npx",
      "README.md: npm install && npm",
      "assumptions.md: npx usergroup-mock explore --only",
      "assumptions.md: npx usergroup-mock explore --faults",
      "assumptions.md: npx usergroup-mock verify --against",
      "assumptions.md: export USERGROUP_MOCK_VERIFY_API_TOKEN=test-api-token\nnpx usergroup-mock verify",
      "fixtures-and-schemas.md: npx usergroup-mock --port 4010",
      "options.md: npx usergroup-mock --port 4010",
      "performance.md: npm run bench",
      "reports.md: npx usergroup-mock exec --report",
      "the-client.md: npx usergroup-mock explore --faults",
      "troubleshooting.md: npx usergroup-mock exec --report",
    ]);
    const names = examples.map(({ file }) => file);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/\.(test\.ts|spec\.ts|jest\.cjs)$/.test(name)).sort()).toEqual([
      "global-setup.ts",
      "my-program.js",
    ]);
  });

  it("show tests that pass in vitest", async () => {
    const tests = examples.filter(({ file }) => file.endsWith(".test.ts"));
    const output = await node("node_modules/vitest/vitest.mjs", "run", "--no-isolate", ".test.ts");
    expect(output).toMatch(new RegExp(`Test Files +${tests.length} passed`));
  });

  it("show the same command for other languages as docs/other-languages.md", () => {
    const [, , , , , command] = shellOf("README.md");
    expect(blocksOfPage("other-languages.md").map(({ text }) => text.trim())).toContain(command);
  });

  it("name a benchmark command that exists", async () => {
    const [command = ""] = shellOf("performance.md");
    const { scripts } = JSON.parse(await readFile(join(repository, "package.json"), "utf8"));
    expect(scripts).toHaveProperty(command.replace("npm run ", ""));
  });

  it("show a failure, a fixture and a schema as they are", async () => {
    await using mock = await startMock({ fixtures: json("fixture") });
    const { apiToken } = mock;
    const wrong = { user_group_id: "customer-7", mapping: { "40": 213 } };
    expect((await getOrCreate(mock.url, wrong, { apiToken })).body).toEqual(json("failure"));

    const schemas = join(project, "schemas");
    await mkdir(schemas);
    await writeFile(join(schemas, "get-or-create.request.json"), JSON.stringify(json("schema")));
    await using strict = await startMock({ schemas });
    const { body } = await getOrCreate(strict.url, { user_group_id: "a", name: "A", properties: {} });
    expect(JSON.stringify(body)).toContain("/properties/region");
  });
});

import { once } from "node:events";
import { cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { defaultAssumptions } from "../../src/service/assumptions.js";
import { type PackageInUse, pack, repository } from "./package-in-use.js";
import { blocksOfPage, type PageBlock, pageNames } from "./page-blocks.js";
import { run, start } from "./processes.js";

/** Pages whose blocks are executed by a test of their own. */
const elsewhere = new Map([
  ["test-frameworks.md", "test/consumers/frameworks.test.ts"],
  ["other-languages.md", "test/consumers/other-languages.test.ts and test/stacks/other-languages.test.ts"],
  ["containers-and-ci.md", "test/stacks/ci-recipes.test.ts and test/stacks/image.test.ts"],
  ["beyond-one-process.md", "test/stacks/balancer.test.ts"],
]);

const blocks = new Map(
  pageNames.filter((page) => !elsewhere.has(page)).map((page) => [page, blocksOfPage(page)]),
);
const all = [...blocks.values()].flat();
const files = all.filter(({ language }) => language === "ts" || language === "js");
const shellOf = (page: string) =>
  (blocks.get(page) ?? []).filter(({ language }) => language === "sh").map(({ text }) => text.trim());

/** The one block of this kind on all pages, or the equal ones. */
const blockOf = (language: string, kind: string): PageBlock => {
  const found = all.filter((block) => block.language === language && block.kind === kind);
  expect(new Set(found.map(({ text }) => text)).size, `\`\`\`${language} ${kind}`).toBe(1);
  return found[0] as PageBlock;
};
const json = (kind: string) => JSON.parse(blockOf("json", kind).text);
const textOf = (kind: string) => blockOf("text", kind).text.trimEnd();

let inUse: PackageInUse;
let project: string;
beforeAll(async () => {
  inUse = await pack();
  project = await inUse.install("documents");
  for (const { file, text } of files) await writeFile(join(project, file), text);
  await writeFile(join(project, "groups.json"), blockOf("json", "fixture").text);
});
afterAll(() => inUse?.remove());

/** The port that is wanted, or any other where it is taken. */
async function freePort(wanted: number): Promise<string> {
  const server = createServer().listen(wanted, "127.0.0.1");
  try {
    await once(server, "listening");
    return String(wanted);
  } catch {
    await using any = await startMock();
    return new URL(any.url).port;
  } finally {
    server.close();
  }
}

const node = (...args: string[]) => run(process.execPath, args, { cwd: project, env: { NO_COLOR: "1" } });
const bash = (command: string) => run("bash", ["-c", command], { cwd: project });

describe("the README and the pages", () => {
  it("have no block that is not executed, but for the command of this very run", () => {
    expect(new Set(all.map(({ language, kind }) => `${language} ${kind}`.trim()))).toEqual(
      new Set([
        "sh",
        "ts",
        "js",
        "json answer",
        "json failure",
        "json fixture",
        "json schema",
        "text explore",
        "text faults",
      ]),
    );
    const begins = [...blocks.keys()].flatMap((page) =>
      shellOf(page).map((text) => `${page}: ${text.split(" ").slice(0, 4).join(" ")}`),
    );
    expect(begins).toEqual([
      "README.md: npm install && npx",
      "README.md: npm install && npm",
      "README.md: npm install --save-dev usergroup-mock",
      "README.md: npx usergroup-mock --port 4010",
      "README.md: curl -X GET http://127.0.0.1:4010/api/user",
      "README.md: curl -X POST http://127.0.0.1:4010/__admin/reset",
      "README.md: npx usergroup-mock exec --set",
      "README.md: npx usergroup-mock exec --set",
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
    const names = files.map(({ file }) => file);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/\.(test\.ts|spec\.ts|jest\.cjs)$/.test(name)).sort()).toEqual([
      "global-setup.ts",
      "my-program.js",
    ]);
  });

  it("show tests that pass in vitest", async () => {
    const names = files.filter(({ file }) => file.endsWith(".test.ts"));
    const output = await node("node_modules/vitest/vitest.mjs", "run", ".test.ts");
    expect(output).toMatch(new RegExp(`Test Files +${names.length} passed`));
  });

  it("show a test that passes in Jest", async () => {
    const args = ["--testMatch", "**/*.jest.cjs"];
    const output = await node("--experimental-vm-modules", "node_modules/jest/bin/jest.js", ...args);
    expect(output).toContain("1 passed");
  });

  it("show a test that passes in Playwright", async () => {
    const config = 'export default { testMatch: "*.spec.ts", globalSetup: "./global-setup.ts" };\n';
    await writeFile(join(project, "playwright.config.ts"), config);
    expect(await node("node_modules/@playwright/test/cli.js", "test")).toContain("1 passed");
  });

  it("show commands that start the mock, call it, reset it and ask it", async () => {
    // Where something else listens on 4010, a free port serves as well.
    const port = await freePort(4010);
    const lines = (page: string) => shellOf(page).map((text) => text.replaceAll("4010", port));
    const [, , , serve = "", curl = "", reset = "", exec = ""] = lines("README.md");
    await using server = start("bash", ["-c", serve], { cwd: project });
    await server.printed(/^(usergroup-mock listening on http:\/\/127.0.0.1:\d+)$/m);
    const quiet = (command: string) => command.replace("curl ", "curl --silent --show-error ");
    const first = JSON.parse(await bash(quiet(curl)));
    expect(first).toEqual(json("answer"));
    expect(JSON.parse(await bash(quiet(curl)))).toEqual({ ...first, new_user_group: false });
    await bash(quiet(reset));
    expect(JSON.parse(await bash(quiet(curl)))).toEqual(first);
    expect(await bash(exec)).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/m);
    const [, , verify = "", drift = ""] = lines("assumptions.md");
    expect(await bash(verify)).toContain("11 of 11 facts hold.");
    const found = JSON.parse(await readFile(join(project, "assumptions.json"), "utf8"));
    expect(found).toEqual(defaultAssumptions);
    expect(await bash(drift)).toContain("0 of 18 expected values have changed. 2 could not be compared.");
  });

  it("show the command for other languages that their page has", () => {
    const [, , , , , , , command] = shellOf("README.md");
    expect(blocksOfPage("other-languages.md").map(({ text }) => text.trim())).toContain(command);
  });

  it.each([
    ["fixtures-and-schemas.md", /listening on (http:\S+)$/m],
    ["options.md", /"event":"listening","url":"(http:[^"]+)"/],
  ])("show in %s a command that starts the mock", async (page, ready) => {
    const [command = ""] = shellOf(page);
    await using server = start("bash", ["-c", command.replace("4010", "0")], { cwd: project });
    expect(await server.printed(ready)).toBeTruthy();
  });

  it("show tables of explore that a real run makes", async () => {
    const [explore = "", faults = ""] = shellOf("assumptions.md");
    const explored = await bash(explore);
    expect(explored).toContain(`${textOf("explore")}\n\n`);
    expect(explored).toContain("Your tests depend on 1 of 2 assumptions that nobody has confirmed.");
    expect(shellOf("the-client.md")).toEqual([faults]);
    const injected = await bash(faults.replace("--faults", "--faults --concurrency 2"));
    expect(injected).toContain(`${textOf("faults")}\n\n`);
    expect(injected).toMatch(
      /Your code survives 14 of 14 failures, of 14 points: 2 calls and 7 failures\.\n$/,
    );
  });

  it("show commands that leave a report", async () => {
    const [always = ""] = shellOf("reports.md");
    await bash(always);
    expect(await readFile(join(project, "report.html"), "utf8")).toContain("<!doctype html>");
    await rm(join(project, "report.html"));
    const [onFailure = ""] = shellOf("troubleshooting.md");
    await bash(onFailure);
    await expect(stat(join(project, "report.html"))).rejects.toThrow("ENOENT");
    await expect(bash(onFailure.replace("npm test", "npm run no-such-script"))).rejects.toThrow();
    expect(await readFile(join(project, "report.html"), "utf8")).toContain("<!doctype html>");
  });

  it("name a benchmark that there is", async () => {
    const [command = ""] = shellOf("performance.md");
    const { scripts } = JSON.parse(await readFile(join(repository, "package.json"), "utf8"));
    expect(scripts).toHaveProperty(command.replace("npm run ", ""));
  });

  it("show a failure, a fixture and a schema that are so", async () => {
    await using mock = await startMock({ fixtures: json("fixture") });
    const body = { user_group_id: "customer-7", mapping: { "40": 213 } };
    const call = ["-s", "-X", "GET", `${mock.url}/api/user`, "-d", JSON.stringify(body)];
    const headers = ["-H", `Authorization: Token ${mock.apiToken}`, "-H", "Content-Type: application/json"];
    expect(JSON.parse(await run("curl", [...call, ...headers], { cwd: project }))).toEqual(json("failure"));

    const schemas = join(project, "schemas");
    await mkdir(schemas);
    await writeFile(join(schemas, "get-or-create.request.json"), JSON.stringify(json("schema")));
    await using strict = await startMock({ schemas });
    const lacking = { user_group_id: "a", name: "A", properties: {} };
    const strictCall = ["-s", "-X", "GET", `${strict.url}/api/user`, "-d", JSON.stringify(lacking)];
    expect(await run("curl", [...strictCall, ...headers], { cwd: project })).toContain("/properties/region");
  });

  it("run from a fresh clone with the first command", async () => {
    const clone = await inUse.folder("clone");
    const tracked = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
      cwd: repository,
    });
    for (const file of tracked.trim().split("\n")) await cp(join(repository, file), join(clone, file));
    const [first = ""] = shellOf("README.md");
    const command = first.replace("npm install", "npm install --prefer-offline").replace("4010", "0");
    await using server = start("bash", ["-c", command], { cwd: clone });
    expect(await server.printed(/^(usergroup-mock listening on http:\/\/127.0.0.1:\d+)$/m)).toBeTruthy();
  });
});

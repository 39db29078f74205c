import { once } from "node:events";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { defaultAssumptions } from "../../src/service/assumptions.js";
import { type PackageInUse, pack, repository } from "./package-in-use.js";
import { blocksOf, nameOf } from "./page-blocks.js";
import { run, start } from "./processes.js";

const readme = await readFile(join(repository, "README.md"), "utf8");
const blocks = blocksOf(readme);
const shell = blocks.filter(({ language }) => language === "sh").map(({ text }) => text.trim());
const files = blocks.filter(({ language }) => language === "ts" || language === "js");
const json = (kind: string) => {
  const found = blocks.filter((block) => block.language === "json" && block.kind === kind);
  expect(found, `one block \`\`\`json ${kind}`).toHaveLength(1);
  return JSON.parse(found[0]?.text ?? "");
};

/** The lines that a command of the README is said to print. */
const textOf = (kind: string) =>
  blocks.find((block) => block.language === "text" && block.kind === kind)?.text.trimEnd();

let inUse: PackageInUse;
let project: string;
beforeAll(async () => {
  inUse = await pack();
  project = await inUse.install("readme");
  for (const block of files) await writeFile(join(project, nameOf(block)), block.text);
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

describe("the README", () => {
  it("has no block that is not executed here, but for the command of this very run", () => {
    expect(readme.match(/^```/gm)).toHaveLength(2 * blocks.length);
    expect(new Set(blocks.map(({ language, kind }) => `${language} ${kind}`.trim()))).toEqual(
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
    expect(shell.map((text) => text.split(" ").slice(0, 3).join(" "))).toEqual([
      "npm install &&",
      "npm install &&",
      "npx usergroup-mock --port",
      "curl -X GET",
      "curl -X POST",
      "npx usergroup-mock exec",
      "npx usergroup-mock explore",
      "npx usergroup-mock explore",
      "npx usergroup-mock verify",
      "export USERGROUP_MOCK_VERIFY_API_TOKEN=test-api-token\nnpx usergroup-mock",
    ]);
    expect(files.map(nameOf).filter((name) => !/\.(test\.ts|spec\.ts|jest\.cjs)$/.test(name))).toEqual([
      "global-setup.ts",
    ]);
  });

  it("shows tests that pass in vitest", async () => {
    const names = files.map(nameOf).filter((name) => name.endsWith(".test.ts"));
    const output = await node("node_modules/vitest/vitest.mjs", "run", ".test.ts");
    expect(output).toMatch(new RegExp(`Test Files +${names.length} passed`));
  });

  it("shows a test that passes in Jest", async () => {
    const args = ["--testMatch", "**/*.jest.cjs"];
    const output = await node("--experimental-vm-modules", "node_modules/jest/bin/jest.js", ...args);
    expect(output).toContain("1 passed");
  });

  it("shows a test that passes in Playwright", async () => {
    const config = 'export default { testMatch: "*.spec.ts", globalSetup: "./global-setup.ts" };\n';
    await writeFile(join(project, "playwright.config.ts"), config);
    expect(await node("node_modules/@playwright/test/cli.js", "test")).toContain("1 passed");
  });

  it("shows commands that start the mock, call it and reset it", async () => {
    // Where something else listens on 4010, a free port serves as well.
    const port = await freePort(4010);
    const lines = shell.map((text) => text.replaceAll("4010", port));
    const [, , serve = "", curl = "", reset = "", exec = "", explore = "", faults = "", ...last] = lines;
    const [verify = "", drift = ""] = last;
    await using server = start("bash", ["-c", serve], { cwd: project });
    await server.printed(/^(usergroup-mock listening on http:\/\/127.0.0.1:\d+)$/m);
    const quiet = (command: string) => command.replace("curl ", "curl --silent --show-error ");
    const bash = (command: string) => run("bash", ["-c", command], { cwd: project });
    const first = JSON.parse(await bash(quiet(curl)));
    expect(first).toEqual(json("answer"));
    expect(JSON.parse(await bash(quiet(curl)))).toEqual({ ...first, new_user_group: false });
    await bash(quiet(reset));
    expect(JSON.parse(await bash(quiet(curl)))).toEqual(first);
    expect(await bash(exec)).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/m);
    const explored = await bash(explore);
    expect(explored).toContain(`${textOf("explore")}\n\n`);
    expect(explored).toContain("Your tests depend on 1 of 2 assumptions that nobody has confirmed.");
    const injected = await bash(faults.replace("--faults", "--faults --concurrency 2"));
    expect(injected).toContain(`${textOf("faults")}\n\n`);
    expect(injected).toMatch(
      /Your code survives 11 of 14 failures, of 14 points: 2 calls and 7 failures\.\n$/,
    );
    expect(await bash(verify)).toContain("11 of 11 facts hold.");
    const found = JSON.parse(await readFile(join(project, "assumptions.json"), "utf8"));
    expect(found).toEqual(defaultAssumptions);
    expect(await bash(drift)).toContain("0 of 18 expected values have changed. 2 could not be compared.");
  });

  it("shows a failure, a fixture and a schema that are so", async () => {
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

  it("runs from a fresh clone with its first command", async () => {
    const clone = await inUse.folder("clone");
    const tracked = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
      cwd: repository,
    });
    for (const file of tracked.trim().split("\n")) await cp(join(repository, file), join(clone, file));
    const [first = ""] = shell;
    const command = first.replace("npm install", "npm install --prefer-offline").replace("4010", "0");
    await using server = start("bash", ["-c", command], { cwd: clone });
    expect(await server.printed(/^(usergroup-mock listening on http:\/\/127.0.0.1:\d+)$/m)).toBeTruthy();
  });
});

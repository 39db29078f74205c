import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nameFor } from "../../src/run/name-for.js";
import { plain } from "../consumers/frameworks.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { blocksOfSection, textOfPage } from "../consumers/page-blocks.js";
import { run, start } from "../consumers/processes.js";
import { needs } from "../needs.js";

/** The sections of docs/test-frameworks.md without an entry of ours: a file and a command. */
const sections = [
  {
    heading: "mocha",
    // mocha looks for tests in test/ only.
    more: "groups.test.cjs",
    summary: /2 passing.*4 failing.*Near misses/s,
    reports: ["when-the-test-fails", "when-the-test-times-out", "after-a-wait", "with-a-hook"],
  },
  {
    heading: "Cucumber",
    more: "--format junit:junit.xml --format progress",
    summary: /4 scenarios \(2 failed, 2 passed\)/,
    reports: ["when-the-scenario-fails", "when-a-step-times-out"],
  },
];

let inUse: PackageInUse;
let cwd: string;
beforeAll(async () => {
  inUse = await usePackage();
  cwd = await inUse.install("other-frameworks", [
    ...(["mocha@latest", "@cucumber/cucumber@latest"] as const),
    ...(["jasmine@latest", "ava@latest", "tap@latest", "uvu@latest"] as const),
  ]);
  for (const { heading } of sections) {
    for (const { file, text } of blocksOfSection("test-frameworks.md", heading)) {
      if (file === "") continue;
      await mkdir(dirname(join(cwd, file)), { recursive: true });
      await writeFile(join(cwd, file), text);
    }
  }
});
afterAll(() => inUse?.remove());

/** The report of an earlier run, for a test that passes. */
async function saveOldReport(): Promise<string> {
  const file = join(cwd, "usergroup-mock-report", `${nameFor("a world is that of test 1")}.html`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, "of an earlier run");
  return file;
}

describe.each(sections)("the example for $heading", ({ heading, more, summary, reports }) => {
  const command = blocksOfSection("test-frameworks.md", heading).find(({ language }) => language === "sh");

  it.for(["", "--parallel=2"])(
    "gives each test its world, prints the requests of a failed one and saves its report %s",
    async (parallel, context) => {
      needs(context, "bash");
      const flag = heading === "mocha" ? parallel.replace("=2", "") : parallel;
      const line = `${command?.text.trim()} ${flag} ${more}`;
      const old = await saveOldReport();
      await using running = start("bash", ["-c", line], { cwd, env: plain });
      expect(await running.ended(60_000)).not.toBe(0);
      const output = running.output();
      expect(output).toMatch(summary);
      expect(output.match(/#1 GET \/api\/user .* → 200 .*"new_user_group":true/g)).toHaveLength(
        reports.length,
      );
      for (const words of reports) {
        const [, path = ""] = new RegExp(`report: (/\\S+${words}\\S*\\.html)`).exec(output) ?? [];
        expect(await readFile(path, "utf8")).toContain('"user_group_id":"same"');
      }
      if (heading === "mocha") await expect(readFile(old)).rejects.toThrow("ENOENT");
      else expect(await readFile(join(cwd, "junit.xml"), "utf8")).toMatch(/<failure .*#1 GET \/api\/user/);
    },
  );
});

/** By framework: its import, what ends the mock, a test, and the command. */
const others: Readonly<Record<string, readonly [string, string, string, string]>> = {
  Jasmine: ["", "afterAll", "it(n, async () => expect(await isNew(mock)).toBe(true))", "npx jasmine"],
  ava: [
    'import test from "ava"',
    "test.after.always",
    "test(n, async (t) => t.true(await isNew(t.context.mock)))",
    "npx ava",
  ],
  tap: [
    'import t from "tap"',
    "t.teardown",
    "t.test(n, async (t) => t.ok(await isNew(t.context.mock)))",
    "node",
  ],
  uvu: [
    'import { test } from "uvu"',
    "test.after",
    "test(n, async ({ mock }) => assert(await isNew(mock)))",
    "npx uvu .",
  ],
};

describe("the line for another framework", () => {
  const rows = [...textOfPage("test-frameworks.md").matchAll(/^\| (\w+) \| `(.*server\.world.*)` \|$/gm)];

  it.each(rows.map(([, name = "", line = ""]) => [name, line]))(
    "gives each test its world: %s",
    async (name, line) => {
      const [framework = "", end = "", test = "", command = ""] = others[name] ?? expect.fail(name);
      const file = `${name.toLowerCase()}.spec.mjs`;
      const text = [
        `${framework}; import assert from "node:assert"; import { startMock } from "usergroup-mock";`,
        `import { getOrCreate } from "./program.cjs"; const server = await startMock(); let mock;`,
        `const isNew = async ({ url, apiToken: token }) =>`,
        `  (await getOrCreate(url, token, { user_group_id: "same", name: "Same" })).body.new_user_group;`,
        `${line}; ${end}(() => server.stop()); for (const n of ["one", "two"]) ${test};`,
        name === "uvu" ? "test.run();" : "",
      ];
      await writeFile(join(cwd, file), text.join("\n"));
      const output = await run("bash", ["-c", `${command} ${file}`], { cwd, env: plain });
      expect(output).toMatch(/2 specs, 0 failures|2 tests passed|pass: 2|Passed: +2/);
    },
  );
});

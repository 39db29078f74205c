import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plain } from "../consumers/frameworks.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { blocksOfSection } from "../consumers/page-blocks.js";
import { start } from "../consumers/processes.js";
import { needs } from "../needs.js";

/** The sections of docs/test-frameworks.md without an entry of ours: a file and a command. */
const sections = [
  {
    heading: "mocha",
    // mocha looks for tests in test/ only.
    more: "groups.test.cjs",
    summary: /2 passing.*2 failing/s,
    reports: ["is-printed-when-the-test-fails", "is-printed-when-the-test-times-out"],
  },
  {
    heading: "Cucumber",
    more: "",
    summary: /3 scenarios \(1 failed, 2 passed\)/,
    reports: ["is-printed-when-the-scenario-fails"],
  },
];

let inUse: PackageInUse;
let cwd: string;
beforeAll(async () => {
  inUse = await usePackage();
  cwd = await inUse.install("other-frameworks", ["mocha@latest", "@cucumber/cucumber@latest"]);
  for (const { heading } of sections) {
    for (const { file, text } of blocksOfSection("test-frameworks.md", heading)) {
      if (file === "") continue;
      await mkdir(dirname(join(cwd, file)), { recursive: true });
      await writeFile(join(cwd, file), text);
    }
  }
});
afterAll(() => inUse?.remove());

describe.each(sections)("the example for $heading", ({ heading, more, summary, reports }) => {
  const command = blocksOfSection("test-frameworks.md", heading).find(({ language }) => language === "sh");

  it.for(["", "--parallel=2"])(
    "gives each test its world, prints the requests of a failed one and saves its report %s",
    async (parallel, context) => {
      needs(context, "bash");
      const flag = heading === "mocha" ? parallel.replace("=2", "") : parallel;
      const line = `${command?.text.trim()} ${flag} ${more}`;
      await using running = start("bash", ["-c", line], { cwd, env: plain });
      expect(await running.ended(60_000)).not.toBe(0);
      const output = running.output();
      expect(output).toMatch(summary);
      expect(output.match(/#1 GET \/api\/user .* → 200 .*"new_user_group":true/g)).toHaveLength(
        reports.length,
      );
      for (const words of reports) {
        const [, path = ""] = new RegExp(`report: (/\\S+${words}\\S+\\.html)`).exec(output) ?? [];
        expect(await readFile(path, "utf8")).toContain('"user_group_id":"same"');
      }
    },
  );
});

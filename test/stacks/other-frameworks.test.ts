import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plain } from "../consumers/frameworks.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { blocksOfSection } from "../consumers/page-blocks.js";
import { start } from "../consumers/processes.js";
import { needs } from "../needs.js";

/** The section of docs/test-frameworks.md: a file and a command. */
const [hooks, command] = blocksOfSection("test-frameworks.md", "mocha");

let inUse: PackageInUse;
let cwd: string;
beforeAll(async () => {
  inUse = await usePackage();
  cwd = await inUse.install("other-frameworks", ["mocha@latest"]);
  await writeFile(join(cwd, hooks?.file ?? ""), hooks?.text ?? "");
});
afterAll(() => inUse?.remove());

describe("the example for mocha", () => {
  it.for(["", "--parallel"])(
    "gives each test its world, prints the requests of a failed one and saves its report %s",
    async (parallel, context) => {
      needs(context, "bash");
      // mocha looks for tests in test/ only.
      const line = `${command?.text.trim()} ${parallel} groups.test.cjs`;
      await using running = start("bash", ["-c", line], { cwd, env: plain });
      expect(await running.ended(60_000)).not.toBe(0);
      const output = running.output();
      expect(output).toMatch(/2 passing.*2 failing/s);
      expect(output.match(/#1 GET \/api\/user .* → 200 .*"new_user_group":true/g)).toHaveLength(2);
      for (const words of ["fails", "times-out"]) {
        const [, path = ""] = new RegExp(`report: (/\\S+the-test-${words}\\S+\\.html)`).exec(output) ?? [];
        expect(await readFile(path, "utf8")).toContain('"user_group_id":"same"');
      }
    },
  );
});

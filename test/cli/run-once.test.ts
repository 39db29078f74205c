import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CommandRunner } from "../../src/cli/explore/run-once.js";
import { resolveOptions } from "../../src/options/resolve-options.js";

const node = process.execPath;

describe("a runner that is stopped while the server of a run starts", () => {
  it("does not start the command", { timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-runner-"));
    const ran = join(folder, "ran");
    const args = ["-e", `require("node:fs").writeFileSync(${JSON.stringify(ran)}, "")`];
    const runner = new CommandRunner({ program: node, args, variables: {} }, folder);
    const settings = await resolveOptions([], "embedded");
    const plan = {
      name: "a",
      settings,
      instructions: { assume: {}, inject: null, learns: false },
      timeoutMs: 30_000,
    };
    expect(await runner.run(plan)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(ran, "utf8")).toBe("");
    rmSync(ran);
    const running = runner.run(plan);
    runner.stop();
    expect(await running).toBeUndefined();
    expect(existsSync(ran)).toBe(false);
    rmSync(folder, { recursive: true });
  });
});

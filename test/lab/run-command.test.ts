import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../../src/lab/run-command.js";
import { resolveOptions } from "../../src/options/resolve-options.js";

describe("runCommand", () => {
  it("does not start the command if it is aborted while the server starts", { timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-command-"));
    const ran = join(folder, "ran");
    const args = ["-e", `require("node:fs").writeFileSync(${JSON.stringify(ran)}, "")`];
    const stopping = new AbortController();
    const plan = {
      command: { program: process.execPath, args, variables: {} },
      settings: await resolveOptions([], "embedded"),
      instructions: { assume: {}, inject: [], learns: false, reports: false },
      outer: undefined,
      stdio: "ignore",
      stop: stopping.signal,
      onStart() {},
      reportTo: () => undefined,
    } as const;
    expect(await runCommand(plan)).toMatchObject({ exitCode: 0 });
    expect(existsSync(ran)).toBe(true);
    rmSync(ran);
    const running = runCommand(plan);
    stopping.abort();
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    expect(existsSync(ran)).toBe(false);
    rmSync(folder, { recursive: true });
  });
});

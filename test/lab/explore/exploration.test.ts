import { afterEach, describe, expect, it, vi } from "vitest";
import { Exploration } from "../../../src/lab/explore/exploration.js";
import { readCommand } from "../../../src/lab/run-command.js";

afterEach(() => vi.restoreAllMocks());

describe("a run of explore", () => {
  it.each([32_439.999, 2 ** 31, 2 ** 33])("may take %f ms longer than others", async (extraMs) => {
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const given = { serverFlags: {}, argv: [process.execPath, "-e", "setTimeout(() => {}, 50)"] };
    const { settings } = await readCommand("explore", given);
    const exploration = new Exploration(given, settings, {});
    const ended = await exploration.carryOut((ended) => ({
      next: ended.length === 0 ? { name: "the run", extraMs } : undefined,
      left: 0,
    }));
    exploration.end(undefined);
    expect(ended).toMatchObject([{ exitCode: 0, hangs: false }]);
  });
});

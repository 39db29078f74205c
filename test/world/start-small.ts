import type { MockOptions } from "../../src/generated/mock-options.js";
import { resolveOptions } from "../../src/options/resolve-options.js";
import { startServer } from "../../src/mock/start-server.js";
import type { Mock } from "../../src/mock/world.js";
import { Budget, keptLimits } from "../../src/world/budget.js";

/** A mock that keeps a hundredth of what others keep, so that a test can fill it. */
export async function startSmall(options: MockOptions = {}): Promise<Mock> {
  const { kept, journals, journalCharacters } = keptLimits;
  const limits = {
    kept: kept / 100,
    journals: journals / 100,
    journalCharacters: journalCharacters / 100,
  };
  const settings = resolveOptions([{ place: "startMock", options: { ...options } }], "embedded");
  return (await startServer(settings, undefined, undefined, new Budget(limits))).mock;
}

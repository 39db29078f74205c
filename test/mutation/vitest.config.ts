import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { notQuick } from "../../vitest.config.js";

/** They kill few mutants that other tests do not, and would run for every mutant that survives. */
const tooSlow = [
  "test/fake/service/decisions.test.ts",
  "test/fake/service/perform.test.ts",
  "test/fake/world/invariants.test.ts",
  "test/fake/server/unauthorized-body.test.ts",
  "test/lab/verify/ask/questions.test.ts",
];

/** They take more than a second each, so they run last. */
const last =
  /(?:decisions|model|generated-requests|questions|known-responses|situations|get-body|behaviours|fake-timers|faults|holds|waits|worlds|request-log|half-a-body|report-lines|learns-back)\.test\.ts$/;

class SlowLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => last.test(moduleId);
    return [...sorted.filter((file) => !isSlow(file)), ...sorted.filter(isSlow)];
  }
}

/** Mutation tests use the tests of what they change that start no process and take little time. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: process.env.MUTATION_TESTS?.split(",") ?? [],
    exclude: [...notQuick, ...tooSlow],
    sequence: { sequencer: SlowLast },
    isolate: false,
    // A loaded machine must not fail the first run.
    testTimeout: 600_000,
    expect: { poll: { timeout: 5_000 } },
  },
});

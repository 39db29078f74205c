import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { notQuick } from "../../vitest.config.js";

/** They read the text of sources, which Stryker changes. */
const ofSources = ["test/architecture.test.ts", "test/documents.test.ts"];

/** They kill few mutants that other tests do not, and would run for every mutant that survives. */
const tooSlow = [
  "test/client/default-timeouts.test.ts",
  "test/fake/service/perform.test.ts",
  "test/fake/world/invariants.test.ts",
];

/** They change the directory or the environment of the process. Stryker runs tests in threads, which cannot. */
const notInThreads = ["test/frameworks/test-server.test.ts", "test/frameworks/test-world.test.ts"];

/** They take more than a second each, so they run last. */
const last = /(?:decisions|model|get-body|behaviours|fake-timers|faults|holds|waits|worlds)\.test\.ts$/;

class SlowLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => last.test(moduleId);
    return [...sorted.filter((file) => !isSlow(file)), ...sorted.filter(isSlow)];
  }
}

/** Mutation tests use the tests that start no process and take little time. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ["test/**/*.test.ts"],
    exclude: [...notQuick, ...ofSources, ...tooSlow, ...notInThreads],
    sequence: { sequencer: SlowLast },
    isolate: false,
    testTimeout: 10_000,
  },
});

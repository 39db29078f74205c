import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { notQuick } from "../vitest.config.js";

/** They kill few mutants that others do not, and would run once for every mutant that survives. */
const tooSlow = [
  "test/architecture.test.ts",
  "test/conformance/mixtures.test.ts",
  "test/world/default-timeouts.test.ts",
  "test/world/invariants.test.ts",
];

/** Counted as slow because it reads what the build made; `npm run test:mutation` builds first. */
const afterBuild = ["test/http/inspector.test.ts"];

/** More than a second each. A mutant that another test kills does not wait for them. */
const last =
  /(?:deciding-assumptions|model|get-body|events|fake-timers|fault-effects|faults|holds|waits|worlds)\.test\.ts$/;

class SlowLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => last.test(moduleId);
    return [...sorted.filter((file) => !isSlow(file)), ...sorted.filter(isSlow)];
  }
}

/** The tests that mutants have to get past: those that take no other process and little time. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    include: ["test/**/*.test.ts"],
    exclude: [...notQuick.filter((glob) => !afterBuild.includes(glob)), ...tooSlow],
    sequence: { sequencer: SlowLast },
    isolate: false,
    testTimeout: 10_000,
  },
});

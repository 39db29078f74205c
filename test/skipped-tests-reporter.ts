import { relative } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** Prints every skipped test with its reason, and all of them again at the end of the run. */
export class SkippedTestsReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const reason = reasonOf(test);
    if (reason !== undefined) console.log(`skipped: ${nameOf(test)}: ${reason}`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const byReason = new Map<string, string[]>();
    for (const test of modules.flatMap((module) => [...module.children.allTests("skipped")])) {
      const reason = reasonOf(test);
      if (reason !== undefined) byReason.set(reason, [...(byReason.get(reason) ?? []), nameOf(test)]);
    }
    if (byReason.size === 0) return;
    console.log("\nSkipped on this machine:");
    for (const [reason, names] of byReason) {
      console.log(`  ${reason}`);
      for (const name of names) console.log(`    ${name}`);
    }
  }
}

/** Undefined also for tests that `-t` on the command line filtered out. */
function reasonOf(test: TestCase): string | undefined {
  const result = test.result();
  return result.state === "skipped" ? result.note : undefined;
}

function nameOf(test: TestCase): string {
  return `${relative(process.cwd(), test.module.moduleId)} > ${test.fullName}`;
}

/** A test framework in one version, and how a project in `projects/` runs its tests in it. */
export interface FrameworkStack {
  readonly framework: "vitest" | "jest" | "playwright" | "node-test";
  /** What is installed beside this package, and the Node.js that runs it. */
  readonly packages: readonly string[];
  readonly node: string;
  /** Whether `npm test` has it; `npm run test:frameworks` has all. */
  readonly isQuick: boolean;
}

const stack = (
  framework: FrameworkStack["framework"],
  packages: readonly string[],
  node = "20",
  isQuick = false,
): FrameworkStack => ({ framework, packages, node, isQuick });

export const frameworkStacks: readonly FrameworkStack[] = [
  stack("vitest", ["vitest@3.2"]),
  stack("vitest", ["vitest@4"], "20", true),
  stack("vitest", ["vitest@5"], "22"),
  stack("jest", ["jest@29"]),
  stack("jest", ["jest@30"], "20", true),
  stack("playwright", ["@playwright/test@1.40"]),
  stack("playwright", ["@playwright/test@1.50"]),
  stack("playwright", ["@playwright/test@1"], "20", true),
  stack("node-test", [], "20", true),
  stack("node-test", [], "22"),
  stack("node-test", [], "24"),
  stack("node-test", [], "26"),
];

/** Versions that are refused, and the range that the refusal names. */
export const refusedStacks: readonly (FrameworkStack & { readonly range: string })[] = [
  { ...stack("vitest", ["vitest@2.1"]), range: "vitest 3.2, 4 and 5" },
  { ...stack("vitest", ["vitest@3.1"]), range: "vitest 3.2, 4 and 5" },
  { ...stack("jest", ["jest@28"]), range: "Jest 29 and 30" },
  { ...stack("playwright", ["@playwright/test@1.39"]), range: "Playwright from 1.40" },
];

/** The section of docs/test-frameworks.md, and what its commands install. */
export const sections: Readonly<Record<FrameworkStack["framework"], { heading: string; installs: string }>> =
  {
    vitest: { heading: "vitest", installs: " vitest" },
    jest: { heading: "Jest", installs: " jest" },
    playwright: { heading: "Playwright", installs: " @playwright/test" },
    "node-test": { heading: "node:test", installs: "" },
  };

/** Runs files of the project. */
export const runners: Readonly<
  Record<FrameworkStack["framework"], (files: readonly string[]) => readonly string[]>
> = {
  // vitest 3.2 ignores the retry that a test with fixtures asks for itself.
  vitest: (files) => ["node_modules/vitest/vitest.mjs", "run", "--retry=1", ...files],
  jest: (files) => [
    "--experimental-vm-modules",
    "node_modules/jest/bin/jest.js",
    "--detectOpenHandles",
    "--testMatch",
    ...files.map((file) => `**/${file}`),
  ],
  playwright: (files) => [
    ...["node_modules/@playwright/test/cli.js", "test", "--retries=1", "--workers=2"],
    ...files,
  ],
  "node-test": (files) => ["--test", "--test-reporter=spec", ...files],
};

/** The files of each project that pass, and the one that fails; in all frameworks they ask for the same. */
export const frameworkFiles: Readonly<Record<FrameworkStack["framework"], readonly string[]>> = {
  vitest: ["mock.test.js", "worlds.test.js"],
  jest: ["mock.test.js", "realm.test.js", "worlds.test.js", "concurrent.test.js", "module.test.mjs"],
  playwright: ["mock.spec.ts", "worlds.spec.ts", "commonjs.spec.cjs"],
  "node-test": ["worlds.test.mjs", "concurrent.test.cjs"],
};

export const failingFiles: Readonly<Record<FrameworkStack["framework"], string>> = {
  vitest: "failing.test.js",
  jest: "failing.test.js",
  playwright: "failing.spec.ts",
  "node-test": "failing.test.mjs",
};

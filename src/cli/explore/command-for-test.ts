import type { RecordedTest } from "../../run/test-results.js";

/** The word of a command by which a framework is recognized. */
const programs = {
  vitest: /(^|[\\/])vitest(\.mjs|\.cmd)?$/,
  Jest: /(^|[\\/])jest(\.js|\.cmd)?$/,
  Playwright: /(^|[\\/])(playwright(\.cmd)?|@playwright[\\/]test[\\/]cli\.js)$/,
  "node:test": /^--test$/,
} as const satisfies Record<RecordedTest["framework"], RegExp>;

/**
 * The command with which one test runs alone, if its words show how. Whether only this test runs has to be tried: a
 * script of package.json can be anything.
 */
export function commandForTest(argv: readonly string[], test: RecordedTest): string[] | undefined {
  const { framework, file, titles } = test;
  const pattern = `${asPattern(framework === "node:test" ? (titles.at(-1) ?? "") : titles.join(" "))}$`;
  const flags = {
    vitest: [file, "-t", `^${pattern}`],
    Jest: [file, "-t", `^${pattern}`],
    // Playwright also has the project and the file before the title.
    Playwright: [file, "-g", pattern],
    "node:test": [`--test-name-pattern=^${pattern}`],
  }[framework];
  const at = argv.findIndex((word) => programs[framework].test(word));
  // Flags of Node come before the files.
  if (at >= 0 && framework === "node:test") return argv.toSpliced(at + 1, 0, ...flags);
  const [, manager] = /(?:^|[\\/])(npm|pnpm|yarn)(?:\.cmd)?$/.exec(argv[0] ?? "") ?? [];
  if (at < 0 && manager === undefined) return undefined;
  // npm keeps flags for itself that are not after --.
  const separator = at < 0 && manager === "npm" && !argv.includes("--") ? ["--"] : [];
  return [...argv, ...separator, ...flags];
}

function asPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

import type { RecordedTest } from "../../run/test-results.js";

/** Words of a command by which a framework is recognised. */
const programs = {
  vitest: /(^|[\\/])vitest(\.mjs|\.cmd)?$/,
  Jest: /(^|[\\/])jest(\.js|\.cmd)?$/,
  Playwright: /(^|[\\/])(playwright(\.cmd)?|@playwright[\\/]test[\\/]cli\.js)$/,
  "node:test": /^--test$/,
} as const satisfies Record<RecordedTest["framework"], RegExp>;

/** Package managers, and what has to stand before the words that they pass on. */
const managers: readonly [program: RegExp, separator: readonly string[]][] = [
  [/(^|[\\/])npm(\.cmd)?$/, ["--"]],
  [/(^|[\\/])(pnpm|yarn)(\.cmd)?$/, []],
];

/**
 * The command with which one test runs alone, as far as can be told from its words. Undefined: it cannot be told.
 * Whether it really does has to be tried.
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
  // Flags of Node stand before the files.
  if (at >= 0 && framework === "node:test")
    return [...argv.slice(0, at + 1), ...flags, ...argv.slice(at + 1)];
  if (at >= 0) return [...argv, ...flags];
  const [, separator] = managers.find(([program]) => program.test(argv[0] ?? "")) ?? [];
  if (separator === undefined) return undefined;
  return [...argv, ...(argv.includes("--") ? [] : separator), ...flags];
}

function asPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

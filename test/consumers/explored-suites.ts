type Outcome = "survives" | "breaks" | "hangs";

/** A suite in `projects/explored-<name>`, and what `explore` has to find in it. */
export interface ExploredSuite {
  readonly name: string;
  readonly command: readonly string[];
  /** Its three planted dependences. */
  readonly dependsOn: readonly string[];
  /** Assumptions that it meets without depending on them. It meets no others. */
  readonly meets: readonly string[];
  /** The call of its client without retries. */
  readonly hastyCall: string;
  /** Under `silent`, a client without a timeout waits until its test framework gives up, or for ever. */
  readonly withoutTimeout: Outcome;
  /** What it needs of our own node_modules. */
  readonly packages: readonly string[];
  /** More calls, and what happens under each failure. */
  readonly more?: Readonly<Record<string, (failure: string) => Outcome>>;
}

const node = process.execPath;
const met = ["created-status", "rotated-token", "failure-status", "failure-body"];
const without = (...ids: readonly string[]) => met.filter((id) => !ids.includes(id));

export const exploredSuites: readonly ExploredSuite[] = [
  {
    name: "node-test",
    command: [node, "--test"],
    dependsOn: ["created-status", "rotated-token", "trailing-slash"],
    meets: [],
    hastyCall: "hasty/get-or-create:acme#1",
    withoutTimeout: "hangs",
    packages: [],
  },
  {
    name: "vitest",
    command: [node, "node_modules/vitest/vitest.mjs", "run"],
    dependsOn: ["existing-group", "mapping-values", "numeric-ids"],
    meets: met,
    hastyCall: "hasty/get-or-create:example_1#1",
    withoutTimeout: "breaks",
    packages: ["vitest"],
  },
  {
    name: "jest",
    command: [node, "node_modules/jest/bin/jest.js"],
    dependsOn: ["auth-scheme", "name-on-create", "unknown-fields"],
    meets: met,
    hastyCall: "hasty/get-or-create:acme#1",
    withoutTimeout: "breaks",
    packages: ["jest"],
    more: {
      // It expects a refusal, and takes these two for one.
      "nameless/get-or-create:acme#1": (failure) =>
        ["unavailable", "throttled"].includes(failure) ? "survives" : "breaks",
    },
  },
  {
    name: "playwright",
    command: [node, "node_modules/@playwright/test/cli.js", "test"],
    dependsOn: ["api-tokens", "failure-status", "videos-path"],
    meets: without("failure-status"),
    hastyCall: "hasty/get-or-create:acme#1",
    withoutTimeout: "breaks",
    packages: ["@playwright/test"],
  },
  {
    name: "python",
    command: ["python3", "-m", "unittest"],
    dependsOn: ["failure-body", "empty-strings", "content-type"],
    meets: without("failure-body"),
    hastyCall: "hasty/get-or-create:acme#1",
    withoutTimeout: "hangs",
    packages: [],
  },
];

/** What becomes of the suite when one call meets one failure: `sturdy/rotate:acme#1=lost` → `survives`. */
export function expectedOutcomes(
  { hastyCall, withoutTimeout, more = {} }: ExploredSuite,
  failures: readonly string[],
): Record<string, Outcome> {
  const outcomes: Record<string, (failure: string) => Outcome> = {
    [hastyCall]: () => "breaks",
    "patient/get-or-create:acme#1": (failure) => (failure === "silent" ? withoutTimeout : "survives"),
    "sturdy/get-or-create:acme#1": () => "survives",
    "sturdy/rotate:acme#1": () => "survives",
    ...more,
  };
  return Object.fromEntries(
    Object.entries(outcomes).flatMap(([call, outcomeOf]) =>
      failures.map((failure) => [`${call}=${failure}`, outcomeOf(failure)]),
    ),
  );
}

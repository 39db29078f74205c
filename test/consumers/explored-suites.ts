type Outcome = "survives" | "breaks" | "hangs";

/** A suite in `projects/explored-<name>`, and what `explore` has to find in it. */
export interface ExploredSuite {
  readonly name: string;
  readonly command: readonly string[];
  /** The three assumptions that it depends on. */
  readonly dependsOn: readonly string[];
  /** Assumptions that decide a response without an effect on the result. All others decide none. */
  readonly meets: readonly string[];
  /** The request of its client without retries. */
  readonly hastyRequest: string;
  /** The result of `silent` for a client without a timeout: whether the test framework has a timeout. */
  readonly withoutTimeout: Outcome;
  /** The packages that it uses from our own node_modules. */
  readonly packages: readonly string[];
  /** Further requests, and the result of each failure. */
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
    hastyRequest: "hasty/get-or-create:acme#1",
    withoutTimeout: "hangs",
    packages: [],
  },
  {
    name: "vitest",
    command: [node, "node_modules/vitest/vitest.mjs", "run"],
    dependsOn: ["existing-group", "mapping-values", "numeric-ids"],
    meets: met,
    hastyRequest: "hasty/get-or-create:example_1#1",
    withoutTimeout: "breaks",
    packages: ["vitest"],
  },
  {
    name: "jest",
    command: [node, "node_modules/jest/bin/jest.js"],
    dependsOn: ["auth-scheme", "name-on-create", "unknown-fields"],
    meets: met,
    hastyRequest: "hasty/get-or-create:acme#1",
    withoutTimeout: "breaks",
    packages: ["jest"],
    more: {
      // The test expects a rejection, and these two failures look like one.
      "nameless/get-or-create:acme#1": (failure) =>
        ["unavailable", "throttled"].includes(failure) ? "survives" : "breaks",
    },
  },
  {
    name: "playwright",
    command: [node, "node_modules/@playwright/test/cli.js", "test"],
    dependsOn: ["api-tokens", "failure-status", "videos-path"],
    meets: without("failure-status"),
    hastyRequest: "hasty/get-or-create:acme#1",
    withoutTimeout: "breaks",
    packages: ["@playwright/test"],
  },
  {
    name: "python",
    command: ["python3", "-m", "unittest"],
    dependsOn: ["failure-body", "empty-strings", "content-type"],
    meets: without("failure-body"),
    hastyRequest: "hasty/get-or-create:acme#1",
    withoutTimeout: "hangs",
    packages: [],
  },
];

/** The result of the suite for each failure at each request: `sturdy/rotate:acme#1=lost` → `survives`. */
export function expectedOutcomes(
  { hastyRequest, withoutTimeout, more = {} }: ExploredSuite,
  failures: readonly string[],
): Record<string, Outcome> {
  const outcomes: Record<string, (failure: string) => Outcome> = {
    [hastyRequest]: () => "breaks",
    "patient/get-or-create:acme#1": (failure) => (failure === "silent" ? withoutTimeout : "survives"),
    "sturdy/get-or-create:acme#1": () => "survives",
    "sturdy/rotate:acme#1": () => "survives",
    ...more,
  };
  return Object.fromEntries(
    Object.entries(outcomes).flatMap(([request, outcomeOf]) =>
      failures.map((failure) => [`${request}=${failure}`, outcomeOf(failure)]),
    ),
  );
}

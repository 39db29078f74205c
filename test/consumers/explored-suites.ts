import type { Line } from "../stacks/versions.js";

type Outcome = "survives" | "breaks" | "hangs";

/** A suite in `projects/explored-<name>`, and what `explore` has to find in it. */
export interface ExploredSuite {
  readonly name: string;
  readonly command: readonly string[];
  /** The three assumptions that it depends on. */
  readonly dependsOn: readonly string[];
  /** Assumptions that decide responses, without the suite depending on them. No others do. */
  readonly exercises: readonly string[];
  /** The request of its client without retries. */
  readonly hastyRequest: string;
  /** Under `silent`, a client without a timeout waits until its test framework gives up, or for ever. */
  readonly withoutTimeout: Outcome;
  /** The packages that it takes from the registry. */
  readonly packages: readonly Line[];
  /** More requests, and the result of each failure. */
  readonly more?: Readonly<Record<string, (failure: string) => Outcome>>;
}

const node = process.execPath;
const usual = ["created-status", "rotated-token", "failure-status", "failure-body"];
const without = (...ids: readonly string[]) => usual.filter((id) => !ids.includes(id));

export const exploredSuites: readonly ExploredSuite[] = [
  {
    name: "node-test",
    command: [node, "--test"],
    dependsOn: ["created-status", "rotated-token", "trailing-slash"],
    exercises: [],
    hastyRequest: "hasty/get-or-create:acme#1",
    withoutTimeout: "hangs",
    packages: [],
  },
  {
    name: "vitest",
    command: [node, "node_modules/vitest/vitest.mjs", "run"],
    dependsOn: ["existing-group", "mapping-values", "numeric-ids"],
    exercises: usual,
    hastyRequest: "hasty/get-or-create:example_1#1",
    withoutTimeout: "breaks",
    packages: ["vitest@4", "vite@7"],
  },
  {
    name: "jest",
    command: [node, "node_modules/jest/bin/jest.js"],
    dependsOn: ["auth-scheme", "name-on-create", "unknown-fields"],
    exercises: usual,
    hastyRequest: "hasty/get-or-create:acme#1",
    withoutTimeout: "breaks",
    packages: ["jest@latest"],
    more: {
      // It expects a failure, and cannot distinguish these two from it.
      "nameless/get-or-create:acme#1": (failure) =>
        ["unavailable", "throttled"].includes(failure) ? "survives" : "breaks",
    },
  },
  {
    name: "playwright",
    command: [node, "node_modules/@playwright/test/cli.js", "test"],
    dependsOn: ["api-tokens", "failure-status", "videos-path"],
    exercises: without("failure-status"),
    hastyRequest: "hasty/get-or-create:acme#1",
    withoutTimeout: "breaks",
    packages: ["@playwright/test@latest"],
  },
  {
    name: "python",
    command: ["python3", "-m", "unittest"],
    dependsOn: ["failure-body", "empty-strings", "content-type"],
    exercises: without("failure-body"),
    hastyRequest: "hasty/get-or-create:acme#1",
    withoutTimeout: "hangs",
    packages: [],
  },
];

/** The result of the suite for one failure at one request: `sturdy/rotate:acme#1=lost` → `survives`. */
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

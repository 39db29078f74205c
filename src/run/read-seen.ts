import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asError } from "../foundation/coded-error.js";
import { type Run, readJsonLines, type SeenLine, unwritable } from "./run-folder.js";
import { collectResults, type TestLine, type TestResult } from "./test-results.js";

/** What the mocks of a run and of nested runs saw: the fields of `SeenLine`, of all lines. */
export interface RunSeen
  extends Record<"decided" | "pinned" | "known" | "injected" | "recovered", ReadonlySet<string>> {
  /** Whether any request to the service reached a mock. */
  readonly isReached: boolean;
  /** The names of the requests in the order of their arrival: `rotate:acme#2`. */
  readonly requests: readonly string[];
  /** Those of them that a test sent while it had armed a fault or a hold itself, or before that in the same epoch. */
  readonly withOwnFault: ReadonlySet<string>;
  /** The results of the tests of our framework entries. */
  readonly tests: readonly TestResult[];
  /** Why the above is not complete: the folder of the run is full or not writable. */
  readonly problem?: string;
}

/** What the mocks saw: nothing, if the command has removed the folder. Call it when the command has ended. */
export function readSeen({ folder }: Pick<Run, "folder">): RunSeen {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const linesOf = <Line>(kind: string) =>
    files
      .filter((name) => name.startsWith(kind) && name.endsWith(".jsonl"))
      .flatMap((name) => readJsonLines<Line>(join(folder, name)).lines);
  const lines = linesOf<SeenLine>("seen-");
  const all = (field: "decided" | "pinned" | "known" | "armed" | "injected" | "recovered") =>
    new Set(lines.flatMap((line) => line[field] ?? []));
  const armed = all("armed");
  const requests = lines
    .flatMap(({ request }) => request ?? [])
    // Two processes may write within a millisecond.
    .toSorted((a, b) => a.at - b.at || a.occurrence - b.occurrence)
    .map(({ name, occurrence, epoch }) => ({ name: `${name}#${occurrence}`, epoch }));
  const problem = files.length === 0 ? undefined : whyUnusable(folder);
  return {
    isReached: lines.length > 0,
    decided: all("decided"),
    pinned: all("pinned"),
    known: all("known"),
    requests: requests.map(({ name }) => name),
    withOwnFault: new Set(requests.filter(({ epoch }) => armed.has(epoch)).map(({ name }) => name)),
    injected: all("injected"),
    recovered: all("recovered"),
    tests: collectResults(linesOf<TestLine>("tests-")),
    ...(problem !== undefined && { problem }),
  };
}

/** Why the folder cannot be used, if so. */
function whyUnusable(folder: string): string | undefined {
  try {
    writeFileSync(join(folder, "probe"), "probe");
    return undefined;
  } catch (error) {
    return unwritable(folder, asError(error).message).message;
  }
}

import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asError } from "../foundation/mock-error.js";
import { injectionText, requestNameText } from "./injection.js";
import { readJsonLines, unwrittenFile } from "./json-lines.js";
import type { RecordedRequest } from "./record-requests.js";
import { findRecoveries } from "./recoveries.js";
import { injectedFile, type Run, type SeenLine } from "./run.js";
import { unwritable } from "./temporary-folder.js";
import { collectResults, type TestLine, type TestResult } from "./test-results.js";

/** What the mocks of a run saw. */
export interface RunSeen {
  /** Whether any request to the service reached a mock. */
  readonly isReached: boolean;
  /** Assumptions that decided a response: with a value of the run, or with one that a test had set. */
  readonly decided: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  /** The names of the requests in the order of their arrival: `rotate:acme#2`. */
  readonly requests: readonly string[];
  /** Those of them that a test sent while it had armed a fault or a hold itself, or before that in the same epoch. */
  readonly withOwnFault: ReadonlySet<string>;
  /** The failures that were injected: `rotate:acme#2=lost`. */
  readonly injected: ReadonlySet<string>;
  /** Those of them after which the program got through. */
  readonly recovered: ReadonlySet<string>;
  /** The results of the tests of our framework entries. */
  readonly tests: readonly TestResult[];
  /** Why the above is not complete: the folder of the run is full or not writable. */
  readonly problem?: string;
}

/** What the mocks saw: nothing, if the command has removed the folder. Call it when the command has ended. */
export function readSeen({ folder, instructions }: Pick<Run, "folder" | "instructions">): RunSeen {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const linesOf = <Line>(kind: string) =>
    files
      .filter((name) => name.startsWith(kind) && name.endsWith(".jsonl"))
      .map((name) => ({ mock: name.slice(kind.length), ...readJsonLines<Line>(join(folder, name)) }));
  const mocks = linesOf<SeenLine>("seen-");
  const lines = mocks.flatMap((mock) => mock.lines);
  const field = (name: "decided" | "pinned") => new Set(lines.flatMap((line) => line[name] ?? []));
  const requests = learntRequests(mocks);
  const isInjected = lines.some(({ arrived }) => arrived?.injected !== undefined);
  const journals = isInjected ? linesOf<RecordedRequest>("report-") : [];
  const recoveries = journals.flatMap(({ mock, lines: journal }) => {
    const seen = mocks.find((one) => one.mock === mock)?.lines ?? [];
    return findRecoveries(
      seen.flatMap(({ arrived }) => arrived ?? []),
      journal,
    );
  });
  const problem = whyIncomplete(folder, files);
  return {
    isReached: lines.length > 0,
    decided: field("decided"),
    pinned: field("pinned"),
    requests: requests.map(({ name }) => name),
    withOwnFault: new Set(requests.flatMap(({ name, hasOwnFault }) => (hasOwnFault ? name : []))),
    injected: new Set(
      instructions.inject.filter((one) => files.includes(injectedFile(one))).map(injectionText),
    ),
    recovered: new Set(recoveries),
    tests: collectResults(linesOf<TestLine>("tests-").flatMap((one) => one.lines)),
    ...(problem !== undefined && { problem }),
  };
}

/** In the order of their arrival. */
function learntRequests(mocks: readonly { readonly lines: readonly SeenLine[] }[]) {
  return (
    mocks
      .flatMap(({ lines }) => {
        const armed = new Set(lines.map((line) => line.armed));
        return lines.flatMap(({ arrived }) => {
          if (arrived === undefined || arrived.occurrence === 0) return [];
          return { ...arrived, hasOwnFault: armed.has(`${arrived.world} ${arrived.n}`) };
        });
      })
      // Two processes may write within a millisecond.
      .toSorted((a, b) => a.at - b.at || a.occurrence - b.occurrence)
      .map(({ name, occurrence, hasOwnFault }) => {
        return { name: `${requestNameText(name)}#${occurrence}`, hasOwnFault };
      })
  );
}

/** Why the files may not be complete. */
function whyIncomplete(folder: string, files: readonly string[]): string | undefined {
  if (files.length === 0) return undefined;
  if (files.includes(unwrittenFile)) return unwritable(folder, "a mock could not write into it").message;
  try {
    writeFileSync(join(folder, "probe"), "probe");
    return undefined;
  } catch (error) {
    return unwritable(folder, asError(error).message).message;
  }
}

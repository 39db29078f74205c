import { sentence } from "../foundation/grammar.js";
import type { Fault, JournalEntry } from "../generated/types.js";
import { type GroupKey, kindOf, remarksOf, sameGroup } from "./request-facts.js";
import { faultName, requestName } from "./words.js";

/** What is known of a test. */
export interface Evidence {
  /** The code of the test's error, if a method of `World` threw it. */
  readonly errorCode: string | undefined;
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  readonly groups: ReadonlyMap<number, GroupKey>;
  readonly faults: readonly Fault[];
  /** The base URL that the test was given. */
  readonly url: string | undefined;
}

/** The most likely cause of a failed test, and the request that shows it. `#3` in the text is a request. */
export interface Verdict {
  readonly text: string;
  readonly request: number | undefined;
}

/** The first cause that applies. */
export function findVerdict(evidence: Evidence): Verdict {
  return (
    missedFault(evidence) ??
    lastRejection(evidence) ??
    unfinished(evidence) ??
    lastRemark(evidence) ??
    nothingWrong(evidence)
  );
}

/** The error came from `assertFaultsFired`. */
function missedFault({ errorCode, faults, entries }: Evidence): Verdict | undefined {
  if (errorCode !== "fault_never_fired") return undefined;
  const missed = faults.find(({ fired, times = 1 }) => fired < (times === "always" ? 1 : times));
  if (missed === undefined) return undefined;
  const { id, fired, times = 1, nearMisses = [] } = missed;
  const often = fired === 0 ? "has not fired" : `fired ${fired} of ${times} times`;
  const [nearest] = nearMisses;
  const why =
    nearest === undefined
      ? "No request came after it was armed."
      : sentence(`#${nearest.request} came closest: ${nearest.reason}`);
  const isKnown = entries.some((entry) => entry.id === nearest?.request);
  return {
    text: `Fault ${id} (${faultName(missed)}) ${often}. ${why}`,
    request: isKnown ? nearest?.request : undefined,
  };
}

function lastRejection({ entries, groups }: Evidence): Verdict | undefined {
  const rejected = entries.findLast((entry) => kindOf(entry) === "rejected");
  if (rejected?.cause == null) return undefined;
  const { code, request, message } = rejected.cause;
  const isStale = code === "unknown_token" && request !== undefined;
  const text = isStale
    ? `#${rejected.id} used a token that #${request} had rotated.`
    : `#${rejected.id} ${requestName(rejected, groups.get(rejected.id))} was rejected: ${message}`;
  return { text, request: rejected.id };
}

/** A request that still waits, or one that broke and that nothing followed successfully. */
function unfinished({ entries, groups }: Evidence): Verdict | undefined {
  const name = (entry: JournalEntry) => `#${entry.id} ${requestName(entry, groups.get(entry.id))}`;
  const waiting = entries.findLast((entry) => kindOf(entry) === "waiting");
  if (waiting !== undefined) {
    const why = waiting.fault === null ? "It has no response yet." : `Fault ${waiting.fault} holds it.`;
    return { text: `${name(waiting)} still waits. ${why}`, request: waiting.id };
  }
  const broken = entries.findLast((entry, i) => {
    if (kindOf(entry) !== "fault" && kindOf(entry) !== "aborted") return false;
    const group = groups.get(entry.id);
    return !entries
      .slice(i + 1)
      .some(
        (later) =>
          kindOf(later) === "ok" &&
          later.operation === entry.operation &&
          (group === undefined || sameGroup(groups.get(later.id), group)),
      );
  });
  if (broken?.cause == null) return undefined;
  return { text: `${name(broken)} failed. ${broken.cause.message}`, request: broken.id };
}

function lastRemark({ entries, groups }: Evidence): Verdict | undefined {
  const remarked = entries.findLast((entry) => remarksOf(entry).length > 0);
  if (remarked === undefined) return undefined;
  const name = requestName(remarked, groups.get(remarked.id));
  return {
    text: sentence(`#${remarked.id} ${name}: ${remarksOf(remarked).join("; ")}`),
    request: remarked.id,
  };
}

function nothingWrong({ entries, url }: Evidence): Verdict {
  if (entries.length > 0) return { text: "No request was rejected.", request: undefined };
  const given = url === undefined ? "" : ` Check that your program uses the URL ${url}`;
  return { text: `No request of this test reached the mock.${given}`, request: undefined };
}

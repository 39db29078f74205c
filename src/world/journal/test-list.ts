import { type FailedRequest, sameCauses } from "../../contract/same-cause.js";
import { whyOf } from "../../contract/why.js";
import type { FailureCause, TestList, TestSummary, TestsQuery } from "../../generated/types.js";
import type { HostedWorld } from "../hosted-world.js";
import type { PastEpoch, RecordedEpoch } from "./history.js";
import type { Entry, Journal } from "./journal.js";
import { responseOf } from "./show-entry.js";

/** More rows than anybody reads. */
const maxTests = 20_000;

interface ListedEpoch
  extends RecordedEpoch,
    Pick<PastEpoch, "startedAt">,
    Partial<Pick<PastEpoch, "endedAt">> {}

/** The tests of these worlds: first those with failures, newest first. */
export function testList(worlds: readonly HostedWorld[], { only }: TestsQuery = {}): TestList {
  const listed = worlds.flatMap((world) => {
    const epochs: readonly ListedEpoch[] = world.isAlive ? [world.epoch, ...world.past] : world.past;
    return epochs.map((epoch) => ({ world, epoch, failures: epoch.journal.counts.failures }));
  });
  const wanted = only === "failed" ? listed.filter(({ failures }) => failures > 0) : listed;
  wanted.sort(
    (a, b) =>
      Number(b.failures > 0) - Number(a.failures > 0) ||
      b.epoch.startedAt - a.epoch.startedAt ||
      b.epoch.number - a.epoch.number,
  );
  const tests = wanted.slice(0, maxTests).map(({ world, epoch }) => summarizeTest(world, epoch));
  return { tests, left_off: wanted.length - tests.length };
}

function summarizeTest({ name, isAlive, epoch: current }: HostedWorld, epoch: ListedEpoch): TestSummary {
  const { number, label, startedAt, endedAt, journal } = epoch;
  return {
    world: name,
    epoch: number,
    ...(label !== undefined && { label }),
    state: isAlive ? (epoch === current ? "current" : "past") : "dropped",
    startedAt: new Date(startedAt).toISOString(),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
    ...journal.counts,
    causes: causesIn(journal),
  };
}

/** The list is read again and again, and most journals do not change any more. */
const known = new WeakMap<Journal, { readonly version: string; readonly causes: FailureCause[] }>();

function causesIn(journal: Journal): FailureCause[] {
  const { failures } = journal.counts;
  if (failures === 0) return [];
  const version = `${failures} ${journal.dropped}`;
  const last = known.get(journal);
  if (last?.version === version) return last.causes;
  const causes = sameCauses(failedIn(journal), ({ entry }) => {
    const { outcome, effect, fault, notes, delivered } = entry;
    const delivery = delivered && { delivery: delivered.delivery };
    // The body of the request is not needed, so it is not parsed.
    return (
      whyOf({ outcome, response: responseOf(entry), ...delivery, effect, fault, notes: [...notes] }) ?? ""
    );
  });
  known.set(journal, { version, causes });
  return causes;
}

function* failedIn(journal: Journal): Generator<FailedRequest & { readonly entry: Entry }> {
  for (const entry of journal) {
    if (entry.outcome !== "failure") continue;
    const { id, at, reply, delivered, notes } = entry;
    const cause = reply?.failure?.code ?? delivered?.delivery ?? "none";
    yield { id, at, cause, texts: [reply?.failure?.message ?? "", ...notes], entry };
  }
}

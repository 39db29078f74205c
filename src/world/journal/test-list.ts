import { type FailedRequest, sameCauses } from "../../contract/same-cause.js";
import { whyOf } from "../../contract/why.js";
import type { FailureCause, TestList, TestSummary, TestsQuery } from "../../generated/types.js";
import type { HostedWorld } from "../hosted-world.js";
import type { RecordedEpoch } from "./history.js";
import type { Entry, Journal } from "./journal.js";
import { responseOf } from "./show-entry.js";

/** The most tests that are listed. */
const maxTests = 20_000;

/** The tests of these worlds: first those with failures, newest first. */
export function testList(worlds: readonly HostedWorld[], { only }: TestsQuery = {}): TestList {
  const listed = worlds.flatMap((world) => {
    const epochs: readonly RecordedEpoch[] = world.isPreview ? world.past : [world.epoch, ...world.past];
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

function summarizeTest({ name, isPreview, epoch: current }: HostedWorld, epoch: RecordedEpoch): TestSummary {
  const { number, label, startedAt, endedAt, journal } = epoch;
  return {
    world: name,
    epoch: number,
    ...(label !== undefined && { label }),
    state: isPreview ? "dropped" : epoch === current ? "current" : "past",
    startedAt: new Date(startedAt).toISOString(),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
    ...journal.counts,
    causes: causesIn(journal),
  };
}

/** The inspector polls the list, and most journals do not change any more. */
const known = new WeakMap<Journal, { readonly version: string; readonly causes: FailureCause[] }>();

function causesIn(journal: Journal): FailureCause[] {
  const [oldest] = journal;
  const version = `${journal.counts.failures} ${oldest?.id}`;
  const last = known.get(journal);
  if (last?.version === version) return last.causes;
  const causes = findCauses(journal);
  known.set(journal, { version, causes });
  return causes;
}

function findCauses(journal: Journal): FailureCause[] {
  if (journal.counts.failures === 0) return [];
  const failed = [...journal].filter(({ outcome }) => outcome === "failure").map(toFailedRequest);
  return sameCauses(failed, ({ entry }) => {
    const { outcome, effect, fault, notes, delivered } = entry;
    const delivery = delivered && { delivery: delivered.delivery };
    // Not `showEntry`: it would parse the body of the request.
    const response = responseOf(entry);
    return whyOf({ outcome, response, ...delivery, effect, fault, notes: [...notes] }) ?? "";
  });
}

function toFailedRequest(entry: Entry): FailedRequest & { readonly entry: Entry } {
  const { id, at, reply, delivered, notes } = entry;
  const cause = reply?.failure?.code ?? delivered?.delivery ?? "none";
  return { id, at, cause, texts: [reply?.failure?.message ?? "", ...notes], entry };
}

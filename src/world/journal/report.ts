import type { ReportData, ReportedJournal, ReportedWorld } from "../../contract/report-data.js";
import { dateNow } from "../../foundation/clock.js";
import type { JournalEntry, RequestBody } from "../../generated/types.js";
import type { HostedWorld } from "../hosted-world.js";
import { type PastEpoch, showPast } from "./history.js";
import type { Entry, Journal } from "./journal.js";
import { showEntry } from "./show-entry.js";

/** More groups than anybody looks through. Those that a test made come first. */
const maxGroups = 5_000;

/** The evidence of these worlds. */
export function reportOf(worlds: readonly HostedWorld[], version: string): ReportData {
  return { version, createdAt: new Date(dateNow()).toISOString(), worlds: worlds.map(reportedWorld) };
}

function reportedWorld(world: HostedWorld): ReportedWorld {
  const { epoch, past, isAlive } = world;
  const groups = world.groups().groups.toSorted((a, b) => Number(a.seeded) - Number(b.seeded));
  return {
    name: world.name,
    n: epoch.number,
    isDropped: !isAlive,
    journal: reportedJournal(epoch.journal, epoch.number, (entry) => world.show(entry)),
    // The last epoch of a server that was stopped is in the history too.
    history: past
      .filter(({ number }) => number !== epoch.number)
      .map((one) => ({ ...showPast(one), journal: pastJournal(one) })),
    teams: world.state().teams ?? [],
    groups: groups.slice(0, maxGroups),
    faults: world.faults().faults,
    assumptions: world.assumptions().assumptions,
  };
}

function pastJournal({ journal, number, isListed }: PastEpoch): ReportedJournal {
  return reportedJournal(journal, number, (entry) => showEntry(entry, isListed));
}

function reportedJournal(
  journal: Journal,
  epoch: number,
  show: (entry: Entry) => JournalEntry,
): ReportedJournal {
  const texts: Record<number, RequestBody> = {};
  for (const entry of journal) {
    const bodies = entry.bodies;
    // Most texts are just what JSON.stringify makes of the parsed body: leave them out.
    const isPlain = bodies.request === plain(entry.json) && bodies.response === plain(entry.sentJson);
    if (!isPlain) texts[entry.id] = bodies;
  }
  return { ...journal.page({}, epoch, show), texts };
}

function plain(body: unknown): string | null {
  return body === null ? null : JSON.stringify(body);
}

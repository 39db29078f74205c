import type { ReportData, ReportedJournal, ReportedWorld } from "../../contract/report-data.js";
import { dateNow } from "../../foundation/clock.js";
import type { RequestBody } from "../../generated/types.js";
import { showAssumptions } from "../../service/assumptions.js";
import { withNearMisses } from "../faults/near-misses.js";
import type { HostedWorld } from "../hosted-world.js";
import { type RecordedEpoch, showPast } from "./history.js";
import { showPage } from "./show-entry.js";

/** More groups than anybody looks through. Those that a test made come first. */
const maxGroups = 5_000;

/** The evidence of these worlds. */
export function reportOf(worlds: readonly HostedWorld[], version: string): ReportData {
  return { version, createdAt: new Date(dateNow()).toISOString(), worlds: worlds.map(reportedWorld) };
}

function reportedWorld(world: HostedWorld): ReportedWorld {
  const { epoch, past, isAlive } = world;
  const groups = epoch.groups.list().toSorted((a, b) => Number(a.seeded) - Number(b.seeded));
  return {
    name: world.name,
    n: epoch.number,
    startedAt: new Date(epoch.startedAt).toISOString(),
    isDropped: !isAlive,
    journal: reportedJournal(epoch),
    history: past.map((one) => ({ ...showPast(one), journal: reportedJournal(one) })),
    teams: epoch.groups.teams,
    groups: groups.slice(0, maxGroups),
    faults: epoch.faults.list().map((fault) => withNearMisses(fault, epoch.journal)),
    assumptions: showAssumptions(epoch.assumptions).assumptions,
  };
}

function reportedJournal(epoch: RecordedEpoch): ReportedJournal {
  const texts: Record<number, RequestBody> = {};
  for (const entry of epoch.journal) {
    const bodies = entry.bodies;
    // Most texts are just what JSON.stringify makes of the parsed body: leave them out.
    const isPlain = bodies.request === plain(entry.json) && bodies.response === plain(entry.sentJson);
    if (!isPlain) texts[entry.id] = bodies;
  }
  return { ...showPage(epoch, {}), texts };
}

function plain(body: unknown): string | null {
  return body === null ? null : JSON.stringify(body);
}

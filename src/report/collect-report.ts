import { type AssumptionValues, showAssumptions } from "../contract/assumptions.js";
import { worldUrl } from "../contract/world-name.js";
import { counted } from "../foundation/grammar.js";
import type { GroupDetail, RequestBody } from "../generated/types.js";
import { faultsWithMisses } from "../world/faults/near-misses.js";
import { type RecordedEpoch, showPast } from "../world/journal/journals.js";
import { showPage } from "../world/journal/show-entry.js";
import type { ServedWorld, WorldParts } from "../world/served-world.js";
import type { Worlds } from "../world/worlds.js";
import { chooseWorlds, maxReportSize } from "./choose-worlds.js";
import type { ReportData, ReportedJournal, ReportedSeed, ReportedWorld } from "./report-data.js";

/** The most groups of a world in a report. */
const maxGroups = 5_000;

/**
 * The content of a report, from the worlds of a server.
 * @param url the base URL of the server
 * @param only by default all worlds
 */
export function collectReport(worlds: Worlds, url: string, only?: ServedWorld): ReportData {
  const { base, forgotten } = worlds;
  const all = (only === undefined ? worlds.all() : [only]).map((world) => measureWorld(world, base));
  const { chosen, leftOut } = chooseWorlds(all, only === undefined ? forgotten : 0);
  const older = chosen.reduce((sum, { newest }) => sum + newest.older, 0);
  if (older > 0) {
    const sentence = `The requests of a world are limited to about ${maxReportSize / 1_000_000} MB.`;
    leftOut.push(`${sentence} The report does not include ${counted(older, "older request")}.`);
  }
  return {
    version: base.version,
    createdAt: new Date().toISOString(),
    worlds: chosen.map((measured) => reportWorld(measured, base, url)),
    seeds: [reportSeed(base)],
    leftOut,
  };
}

/** A world with the parts of it that fit into a report. */
function measureWorld(world: ServedWorld, base: WorldParts) {
  const epochs = [world.epoch, ...world.past];
  const sum = (of: "requests" | "failures") =>
    epochs.reduce((total, { journal }) => total + journal.counts[of], 0);
  const newest = newestRequests(epochs);
  const groups = reportGroups(world.epoch, base);
  const size = newest.size + JSON.stringify(groups).length;
  const isDropped = world.isPreview && world.past.length > 0;
  return { world, isDropped, requests: sum("requests"), failures: sum("failures"), size, newest, groups };
}

/** The newest requests that fit into a report: for each epoch, the id that they come after. */
function newestRequests(epochs: readonly RecordedEpoch[]) {
  const after = new Map<RecordedEpoch, number>();
  let [size, older] = [0, 0];
  for (const epoch of epochs) {
    for (const { id, bytes } of [...epoch.journal].reverse()) {
      if (size + bytes > maxReportSize || older > 0) {
        older++;
        if (!after.has(epoch)) after.set(epoch, id);
      } else size += bytes;
    }
  }
  return { size, older, after };
}

function reportSeed({ seed, assumptions }: WorldParts): ReportedSeed {
  const groups = seed.teams.flatMap(({ team_id }) => [...seed.ofTeam(team_id)].map(([, group]) => group));
  return {
    teams: seed.teams,
    groups: groups.slice(0, maxGroups).map((group) => ({ ...group, seeded: true })),
    assumptions: showAssumptions(assumptions).assumptions,
  };
}

function reportWorld(
  measured: ReturnType<typeof measureWorld>,
  base: WorldParts,
  url: string,
): ReportedWorld {
  const { world, isDropped, newest, groups } = measured;
  const { name, epoch, past } = world;
  const journalOf = (one: RecordedEpoch) => reportJournal(one, newest.after.get(one) ?? 0);
  return {
    name,
    url: worldUrl(url, name),
    seed: 0,
    n: epoch.number,
    startedAt: new Date(epoch.startedAt).toISOString(),
    isDropped,
    journal: journalOf(epoch),
    history: past.map((one) => ({ ...showPast(one), journal: journalOf(one) })),
    ...groups,
    faults: faultsWithMisses(epoch),
    assumed: changedAssumptions(epoch.assumptions, base),
  };
}

function reportGroups({ groups }: ServedWorld["epoch"], base: WorldParts) {
  if (groups.seed === base.seed) return { groups: firstGroups(groups.changed) };
  // A state that was loaded has replaced the seed.
  const all = groups.list().toSorted((a, b) => Number(a.seeded) - Number(b.seeded));
  return { teams: groups.seed.teams, groups: firstGroups(all) };
}

/** The first groups that fit into a report. */
function firstGroups(groups: readonly GroupDetail[]): readonly GroupDetail[] {
  let left = maxReportSize;
  const end = groups.slice(0, maxGroups).findIndex((group) => {
    left -= JSON.stringify(group).length;
    return left < 0;
  });
  return groups.slice(0, end < 0 ? maxGroups : end);
}

/** The assumptions whose value in a world is not that of the server. */
function changedAssumptions(values: AssumptionValues, base: WorldParts): Record<string, string> {
  const initial = new Map<string, string>(Object.entries(base.assumptions));
  return Object.fromEntries(Object.entries(values).filter(([id, value]) => initial.get(id) !== value));
}

/** @param after the requests with higher ids are included */
function reportJournal(epoch: RecordedEpoch, after: number): ReportedJournal {
  const page = showPage(epoch, { after });
  const texts: Record<number, RequestBody> = {};
  for (const { id, bodies, json, sentJson } of epoch.journal) {
    // Most texts are what JSON.stringify makes of the parsed body: leave them out.
    const isPlain = bodies.request === plainText(json) && bodies.response === plainText(sentJson);
    if (id > after && !isPlain) texts[id] = bodies;
  }
  const dropped = page.dropped + epoch.journal.entryCount - page.total;
  return { ...page, dropped, texts };
}

function plainText(body: unknown): string | null {
  return body === null ? null : JSON.stringify(body);
}

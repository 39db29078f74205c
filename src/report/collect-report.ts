import { showAssumptions } from "../contract/assumptions.js";
import { worldUrl } from "../contract/world-name.js";
import type { RequestBody } from "../generated/types.js";
import { faultsWithMisses } from "../world/faults/near-misses.js";
import { type RecordedEpoch, showPast } from "../world/journal/journals.js";
import { showPage } from "../world/journal/show-entry.js";
import { type Base, changedAssumptions } from "../world/left-of-world.js";
import type { HostedWorld } from "../world/served-world.js";
import type { Worlds } from "../world/worlds.js";
import { chooseWorlds } from "./choose-worlds.js";
import type { ReportData, ReportedJournal, ReportedSeed, ReportedWorld } from "./report-data.js";

/** The most groups of a world in a report. */
const maxGroups = 5_000;

/**
 * The content of a report, from the worlds of a server.
 * @param url the base URL of the server
 * @param only by default all worlds
 */
export function collectReport(worlds: Worlds, url: string, only?: HostedWorld): ReportData {
  const { base, forgotten } = worlds;
  const all = (only === undefined ? worlds.all() : [only]).map((world) => {
    const journals = [world.epoch, ...world.past].map(({ journal }) => journal);
    const sum = (of: "requests" | "failures") =>
      journals.reduce((total, { counts }) => total + counts[of], 0);
    const size = journals.reduce((total, { bytes }) => total + bytes, 0);
    const isDropped = world.isPreview && world.past.length > 0;
    return { world, isDropped, requests: sum("requests"), failures: sum("failures"), size };
  });
  const { chosen, leftOut } = chooseWorlds(all, only === undefined ? forgotten : 0);
  return {
    version: base.version,
    createdAt: new Date().toISOString(),
    worlds: chosen.map(({ world, isDropped }) => reportWorld(world, isDropped, base, url)),
    seeds: [reportSeed(base)],
    leftOut,
  };
}

function reportSeed({ seed, assumptions }: Base): ReportedSeed {
  const groups = seed.teams.flatMap(({ team_id }) => [...seed.ofTeam(team_id)].map(([, group]) => group));
  return {
    teams: seed.teams,
    groups: groups.slice(0, maxGroups).map((group) => ({ ...group, seeded: true })),
    assumptions: showAssumptions(assumptions).assumptions,
  };
}

function reportWorld(
  { name, epoch, past }: HostedWorld,
  isDropped: boolean,
  base: Base,
  url: string,
): ReportedWorld {
  return {
    name,
    url: worldUrl(url, name),
    seed: 0,
    n: epoch.number,
    startedAt: new Date(epoch.startedAt).toISOString(),
    isDropped,
    journal: reportJournal(epoch),
    history: past.map((one) => ({ ...showPast(one), journal: reportJournal(one) })),
    ...reportGroups(epoch, base),
    faults: faultsWithMisses(epoch),
    assumed: changedAssumptions(epoch.assumptions, base),
    ...(isDropped && past[0]?.left),
  };
}

function reportGroups({ groups }: HostedWorld["epoch"], base: Base) {
  if (groups.seed === base.seed) return { groups: groups.changed.slice(0, maxGroups) };
  // A state that was loaded has replaced the seed.
  const all = groups.list().toSorted((a, b) => Number(a.seeded) - Number(b.seeded));
  return { teams: groups.seed.teams, groups: all.slice(0, maxGroups) };
}

function reportJournal(epoch: RecordedEpoch): ReportedJournal {
  const texts: Record<number, RequestBody> = {};
  for (const { id, bodies, json, sentJson } of epoch.journal) {
    // Most texts are what JSON.stringify makes of the parsed body: leave them out.
    const isPlain = bodies.request === plainText(json) && bodies.response === plainText(sentJson);
    if (!isPlain) texts[id] = bodies;
  }
  return { ...showPage(epoch, {}), texts };
}

function plainText(body: unknown): string | null {
  return body === null ? null : JSON.stringify(body);
}

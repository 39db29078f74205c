import { type AssumptionValues, showAssumptions } from "../contract/assumptions.js";
import { worldUrl } from "../contract/world-name.js";
import { counted } from "../foundation/grammar.js";
import type { RequestBody } from "../generated/types.js";
import { faultsWithMisses } from "../world/faults/near-misses.js";
import { type RecordedEpoch, showPast } from "../world/journal/journals.js";
import { showPage } from "../world/journal/show-entry.js";
import type { ServedWorld, WorldParts } from "../world/served-world.js";
import type { Worlds } from "../world/worlds.js";
import type { ReportData, ReportedJournal, ReportedSeed, ReportedWorld } from "./report-data.js";

/** About how long a report may be, in characters of JSON, so that a browser opens it within seconds. */
export const maxReportSize = 32_000_000;

/** The most groups of a world in a report. */
const maxGroups = 5_000;

/**
 * The content of a report, from the worlds of a server.
 * @param url the base URL of the server
 * @param only by default all worlds
 */
export function collectReport(worlds: Worlds, url: string, only?: ServedWorld): ReportData {
  const { base, forgotten } = worlds;
  const space = new Space();
  // Dropped worlds come last, and usually belong to tests that passed: they are the first that do not fit.
  const all = only === undefined ? worlds.all() : [only];
  const reported = all.map((world) => reportWorld(world, base, url, space));
  const leftOut: string[] = [];
  if (space.older > 0) {
    const older = counted(space.older, "older request");
    leftOut.push(
      `The report is limited to about ${maxReportSize / 1_000_000} MB. It does not include ${older}.`,
    );
  }
  if (only === undefined && forgotten > 0)
    leftOut.push(`The history is limited. The oldest ${counted(forgotten, "journal")} cannot be included.`);
  return {
    version: base.version,
    createdAt: new Date().toISOString(),
    worlds: reported,
    seeds: [reportSeed(base)],
    leftOut,
  };
}

/** The space that is left in a report. After the first item that does not fit, nothing is taken. */
class Space {
  #left = maxReportSize;
  /** How many requests did not fit. */
  older = 0;

  take<Item>(items: readonly Item[], sizeOf: (item: Item) => number): readonly Item[] {
    const end = items.findIndex((item) => {
      this.#left -= sizeOf(item);
      return this.#left < 0;
    });
    return end < 0 ? items : items.slice(0, end);
  }
}

function reportSeed({ seed, assumed }: WorldParts): ReportedSeed {
  const groups = seed.teams.flatMap(({ team_id }) => [...seed.ofTeam(team_id)].map(([, group]) => group));
  return {
    teams: seed.teams,
    groups: groups.slice(0, maxGroups).map((group) => ({ ...group, seeded: true })),
    assumptions: showAssumptions(assumed, {}).assumptions,
  };
}

function reportWorld(world: ServedWorld, base: WorldParts, url: string, space: Space): ReportedWorld {
  const { name, epoch, past } = world;
  return {
    name,
    url: worldUrl(url, name),
    seed: 0,
    n: epoch.number,
    startedAt: new Date(epoch.startedAt).toISOString(),
    isDropped: world.isPreview && past.length > 0,
    ...reportGroups(epoch, base, space),
    journal: reportJournal(epoch, space),
    history: past.map((one) => ({ ...showPast(one), journal: reportJournal(one, space) })),
    faults: faultsWithMisses(epoch),
    assumed: changedAssumptions(epoch.assumed.values, base),
  };
}

function reportGroups({ groups }: ServedWorld["epoch"], base: WorldParts, space: Space) {
  // A state that was loaded has replaced the seed.
  const isLoaded = groups.seed !== base.seed;
  const all = isLoaded
    ? groups.list().toSorted((a, b) => Number(a.seeded) - Number(b.seeded))
    : groups.changed;
  const first = space.take(all.slice(0, maxGroups), (group) => JSON.stringify(group).length);
  return { ...(isLoaded && { teams: groups.seed.teams }), groups: first };
}

/** The assumptions whose value in a world is not that of the server. */
function changedAssumptions(values: AssumptionValues, base: WorldParts): Record<string, string> {
  const initial = new Map<string, string>(Object.entries(base.assumed.values));
  return Object.fromEntries(Object.entries(values).filter(([id, value]) => initial.get(id) !== value));
}

/** The newest requests that fit. */
function reportJournal(epoch: RecordedEpoch, space: Space): ReportedJournal {
  const newest = [...epoch.journal].reverse();
  const fitting = space.take(newest, ({ bytes }) => bytes);
  const older = newest.length - fitting.length;
  space.older += older;
  const texts: Record<number, RequestBody> = {};
  for (const { id, bodies, json, sentJson } of fitting) {
    // Most texts are what JSON.stringify makes of the parsed body: leave them out.
    const isPlain = bodies.request === plainText(json) && bodies.response === plainText(sentJson);
    if (!isPlain) texts[id] = bodies;
  }
  const page = showPage(epoch, { after: newest[fitting.length]?.id ?? 0 });
  return { ...page, dropped: page.dropped + older, texts };
}

function plainText(body: unknown): string | null {
  return body === null ? null : JSON.stringify(body);
}

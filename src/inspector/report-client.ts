import type { AdminClient, AdminInput, JsonCallId } from "../contract/admin-calls.js";
import type { ReportData, ReportedJournal, ReportedSeed, ReportedWorld } from "../contract/report-data.js";
import { codeOf, whyOf } from "../contract/why.js";
import type {
  FailureSummary,
  GroupDetail,
  JournalEntry,
  JournalPage,
  RequestBody,
  WorldSummary,
} from "../generated/types.js";

/** Answers the admin calls of a page from the data of a report. Nothing can be changed. */
export function reportClient(report: ReportData, worldName: string): AdminClient {
  const world = report.worlds.find(({ name }) => name === worldName) ?? emptyWorld(worldName);
  const seed = seedOf(report, world);
  const answers: { readonly [Id in JsonCallId]?: (input: AdminInput<Id>) => unknown } = {
    health: () => ({ version: report.version }),
    listRequests: () => pageOf(world.journal),
    listHistory: () => ({ history: world.history }),
    listPastRequests: ({ id }) => pageOf(journalOf(world, id)),
    getRequestBody: ({ id, query }) => bodiesOf(journalOf(world, query.epoch ?? world.n), id),
    listGroups: () => ({ groups: groupsOf(world, seed) }),
    exportState: () => ({ teams: world.teams ?? seed.teams }),
    listFaults: () => ({ faults: world.faults }),
    listAssumptions: () => ({
      assumptions: seed.assumptions.map((one) => ({ ...one, value: world.assumed[one.id] ?? one.value })),
    }),
    listWorlds: () => ({ worlds: report.worlds.map((one) => summaryOf(one, seedOf(report, one))) }),
    listFailures: () => ({ failures: report.worlds.flatMap(failuresOf).sort(newestFirst), left_off: 0 }),
  };
  return async (id, input) => {
    const answer = answers[id];
    if (answer === undefined) throw new Error("This is a report: nothing can be changed in it.");
    // The report holds what these calls would have answered.
    return answer(input as never) as never;
  };
}

function seedOf({ seeds }: ReportData, { seed = -1 }: ReportedWorld): ReportedSeed {
  return seeds[seed] ?? { teams: [], groups: [], assumptions: [] };
}

/** Those that a test made or changed come first. */
function groupsOf({ teams, groups }: ReportedWorld, seed: ReportedSeed): readonly GroupDetail[] {
  if (teams !== undefined) return groups;
  const key = ({ team_id, provided_id }: GroupDetail) => `${team_id} ${provided_id}`;
  const changed = new Set(groups.map(key));
  return [...groups, ...seed.groups.filter((group) => !changed.has(key(group)))];
}

function pageOf({ texts, ...page }: ReportedJournal): JournalPage {
  return page;
}

function journalOf({ history, journal }: ReportedWorld, n: number): ReportedJournal {
  return history.find((past) => past.n === n)?.journal ?? journal;
}

function bodiesOf({ requests, texts }: ReportedJournal, id: number): RequestBody {
  const entry = requests.find((one) => one.id === id);
  const text = (body: unknown) => (body === null || body === undefined ? null : JSON.stringify(body));
  return texts[id] ?? { request: text(entry?.request.body), response: text(entry?.response?.body) };
}

function summaryOf(
  { name, teams, groups, journal, history }: ReportedWorld,
  seed: ReportedSeed,
): WorldSummary {
  const added = groups.filter(({ seeded }) => !seeded).length;
  const earlier = history.reduce((sum, { requests }) => sum + requests, 0);
  const now = journal.requests.filter(({ outcome }) => outcome === "failure").length;
  return {
    name,
    groups: teams === undefined ? seed.groups.length + added : groups.length,
    requests: earlier + journal.requests.length + journal.dropped,
    failures: history.reduce((sum, { failures }) => sum + failures, now),
  };
}

/** What failed in a world, by epoch and cause. */
function failuresOf({ name, n, journal, history }: ReportedWorld): FailureSummary[] {
  return [{ n, label: undefined, journal }, ...history].flatMap(
    ({ n: epoch, label, journal: { requests } }) => {
      const byCause = new Map<string, JournalEntry[]>();
      for (const entry of requests.filter(({ outcome }) => outcome === "failure")) {
        const cause = codeOf(entry) ?? entry.delivery ?? "none";
        const same = byCause.get(cause);
        if (same === undefined) byCause.set(cause, [entry]);
        else same.push(entry);
      }
      return [...byCause].map(([cause, entries]): FailureSummary => {
        const [last] = entries.slice(-1);
        const { id = 0, at = "" } = last ?? {};
        const why = (last && whyOf(last)) ?? "";
        const labelled = label === undefined ? {} : { label };
        return { world: name, epoch, ...labelled, cause, count: entries.length, last: id, at, why };
      });
    },
  );
}

function newestFirst(a: FailureSummary, b: FailureSummary): number {
  return b.at.localeCompare(a.at) || b.last - a.last;
}

function emptyWorld(name: string): ReportedWorld {
  const journal = { requests: [], total: 0, dropped: 0, epoch: 1, texts: {} };
  return {
    name,
    n: 1,
    isDropped: true,
    journal,
    history: [],
    groups: [],
    faults: [],
    assumed: {},
  };
}

import type { AdminClient, AdminInput, JsonCallId } from "../contract/admin-calls.js";
import type { GroupDetail, JournalPage, RequestBody, TestSummary } from "../generated/types.js";
import type { ReportData, ReportedJournal, ReportedSeed, ReportedWorld } from "../report/report-data.js";
import { kindOf } from "./request-facts.js";

/** Performs the admin calls of a page on the data of a report, which is read-only. */
export function reportClient(report: ReportData, worldName: string): AdminClient {
  const world = report.worlds.find(({ name }) => name === worldName) ?? emptyWorld(worldName);
  const seed = seedOf(report, world);
  const handlers: { readonly [Id in JsonCallId]?: (input: AdminInput<Id>) => unknown } = {
    listRequests: () => pageOf(world.journal),
    listPastRequests: ({ id }) => pageOf(journalOf(world, id)),
    getRequestBody: ({ id, query }) => bodiesOf(journalOf(world, query.epoch ?? world.n), id),
    listGroups: () => ({ groups: groupsOf(world, seed) }),
    health: () => ({ groups: groupsOf(world, seed).length }),
    listFaults: () => ({ faults: world.faults }),
    listAssumptions: () => ({
      assumptions: seed.assumptions.map((one) => ({ ...one, value: world.assumed[one.id] ?? one.value })),
    }),
    listTests: () => {
      const tests = report.worlds.flatMap(testsOf);
      return { tests: tests.sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt)), left_off: 0 };
    },
  };
  return async (id, input) => {
    const handler = handlers[id];
    if (handler === undefined) throw new Error("A report is read-only.");
    // Each handler takes the input and returns the response of its own admin call.
    return handler(input as never) as never;
  };
}

function seedOf({ seeds }: ReportData, { seed = -1 }: ReportedWorld): ReportedSeed {
  return seeds[seed] ?? { teams: [], groups: [], assumptions: [] };
}

/** Groups that a test created or changed come first. */
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

/** The tests of a world. */
function testsOf({ name, n, isDropped, journal, history, startedAt }: ReportedWorld): TestSummary[] {
  const current = { n, label: journal.label, journal, startedAt, endedAt: undefined };
  return [...(isDropped ? [] : [current]), ...history].map((test) => {
    const { label, endedAt } = test;
    return {
      world: name,
      epoch: test.n,
      ...(label !== undefined && { label }),
      state: isDropped ? "dropped" : test === current ? "current" : "past",
      startedAt: test.startedAt,
      ...(endedAt !== undefined && { endedAt }),
      requests: test.journal.requests.length + test.journal.dropped,
      failures: test.journal.requests.filter((entry) => kindOf(entry) === "rejected").length,
    };
  });
}

function emptyWorld(name: string): ReportedWorld {
  const journal = { requests: [], total: 0, dropped: 0, epoch: 1, texts: {} };
  return {
    name,
    n: 1,
    startedAt: new Date(0).toISOString(),
    isDropped: true,
    journal,
    history: [],
    groups: [],
    faults: [],
    assumed: {},
  };
}

import type { AdminClient, AdminInput, JsonCallId } from "../contract/admin-calls.js";
import type { ReportData, ReportedJournal, ReportedWorld } from "../contract/report-data.js";
import type { JournalPage, RequestBody } from "../contract/types.js";

/** Answers the admin calls of a page from the data of a report. Nothing can be changed. */
export function reportClient(report: ReportData, worldName: string): AdminClient {
  const world = report.worlds.find(({ name }) => name === worldName) ?? emptyWorld(worldName);
  const answers: { readonly [Id in JsonCallId]?: (input: AdminInput<Id>) => unknown } = {
    health: () => ({ version: report.version }),
    listRequests: () => pageOf(world.journal),
    listHistory: () => ({ history: world.history }),
    listPastRequests: ({ id }) => pageOf(journalOf(world, id)),
    getRequestBody: ({ id, query }) => bodiesOf(journalOf(world, query.epoch ?? world.n), id),
    listGroups: () => ({ groups: world.groups }),
    exportState: () => ({ teams: world.teams }),
    listFaults: () => ({ faults: world.faults }),
    listAssumptions: () => ({ assumptions: world.assumptions }),
    listWorlds: () => ({ worlds: report.worlds.map(summaryOf) }),
  };
  return async (id, input) => {
    const answer = answers[id];
    if (answer === undefined) throw new Error("This is a report: nothing can be changed in it.");
    // The report holds what these calls would have answered.
    return answer(input as never) as never;
  };
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

function summaryOf({ name, groups, journal, history }: ReportedWorld) {
  const earlier = history.reduce((sum, { requests }) => sum + requests, 0);
  return { name, groups: groups.length, requests: earlier + journal.requests.length + journal.dropped };
}

function emptyWorld(name: string): ReportedWorld {
  const journal = { requests: [], total: 0, dropped: 0, epoch: 1, texts: {} };
  return {
    name,
    n: 1,
    isDropped: true,
    journal,
    history: [],
    teams: [],
    groups: [],
    faults: [],
    assumptions: [],
  };
}

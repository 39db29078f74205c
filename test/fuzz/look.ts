import type { JournalEntry, JournalPage } from "../../src/generated/types.js";
import type { CaseRecord, Observed } from "./case-record.js";
import { Finding } from "./finding.js";
import { callHeader, worldPath } from "./render-request.js";
import type { ServerProcess } from "./server-process.js";

/** Reads all that a world shows, and checks what can be told from it. */
export async function look(server: ServerProcess, world: string, record: CaseRecord): Promise<void> {
  const get = (path: string) => server.get(worldPath(world, `/__admin${path}`));
  const before = record.now();
  // A call that is answered while we read may still be pending in what we read.
  const observed = record.observed.filter((one) => one.world === world);
  const paths = ["/groups", "/requests", "/requests.har", "/faults", "/assumptions"];
  const [{ groups }, page]: [{ groups: ShownGroup[] }, JournalPage] = (await Promise.all(
    paths.map(get),
  )) as never;
  checkGroups(groups, world);
  checkJournal(page, world, observed);
  if (record.isPristine(world) && record.isQuiet(world, before)) {
    const [first] = page.requests;
    if (first !== undefined && first.id !== page.dropped + 1)
      throw new Finding(gaps, `the first entry of ${world} is ${first.id}, with ${page.dropped} dropped`);
  }
}

const gaps = "E: journal ids have no gaps and no doubles";

function checkJournal({ requests }: JournalPage, world: string, observed: readonly Observed[]): void {
  const ids = requests.map(({ id }) => id);
  const wrong = ids.findIndex((id, at) => at > 0 && id !== (ids[at - 1] ?? 0) + 1);
  if (wrong > 0) throw new Finding(gaps, `in ${world}, ${ids[wrong]} comes after ${ids[wrong - 1]}`);
  const byCall = new Map<string, JournalEntry>();
  for (const entry of requests) {
    const call = entry.request.headers[callHeader];
    if (call === undefined) continue;
    const twin = byCall.get(call);
    if (twin !== undefined) throw new Finding(gaps, `in ${world}, ${twin.id} and ${entry.id} are one call`);
    byCall.set(call, entry);
  }
  for (const { call, status, journalId } of observed) {
    const entry = byCall.get(call);
    if (entry === undefined) continue;
    const { id, response, outcome } = entry;
    if (id !== journalId) throw new Finding(gaps, `the answer said ${journalId}, the journal says ${id}`);
    if (outcome === "pending" || response?.status !== status)
      throw new Finding(gaps, `entry ${id} of ${world} says ${outcome} ${response?.status}, not ${status}`);
  }
}

interface ShownGroup {
  readonly team_id: number;
  readonly provided_id: string;
  readonly token: string;
}

function checkGroups(groups: readonly ShownGroup[], world: string): void {
  const twins = (what: readonly string[]) => what.find((one, at) => what.indexOf(one) !== at);
  const token = twins(groups.map((group) => group.token));
  if (token !== undefined)
    throw new Finding("D: tokens never repeat, worlds never touch", `two groups of ${world} have ${token}`);
  const key = twins(groups.map(({ team_id, provided_id }) => `${team_id}/${provided_id}`));
  if (key !== undefined)
    throw new Finding("A: of many creations one creates", `there are two groups ${key} in ${world}`);
}

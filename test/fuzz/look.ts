import type { JournalEntry, JournalPage } from "../../src/generated/types.js";
import type { CaseRecord, Observed } from "./case-record.js";
import { Finding } from "./finding.js";
import { tagHeader, worldPath } from "./render-request.js";
import type { ServerProcess } from "./server-process.js";

/** Reads everything that a world shows, and checks it. */
export async function look(server: ServerProcess, world: string, record: CaseRecord): Promise<void> {
  const get = (path: string) => server.get(worldPath(world, `/__admin${path}`));
  // A request that completes meanwhile may still be pending in what is read.
  const observed = record.observed.filter((one) => one.world === world);
  const paths = ["/groups", "/requests", "/faults", "/assumptions"];
  const [{ groups }, page]: [{ groups: ShownGroup[] }, JournalPage] = (await Promise.all(
    paths.map(get),
  )) as never;
  checkGroups(groups, world);
  checkJournal(page, world, observed);
  if (record.isPristine(world)) {
    const [first] = page.requests;
    if (first !== undefined && first.id !== page.dropped + 1)
      throw new Finding(gaps, `the first entry of ${world} is ${first.id}, with ${page.dropped} dropped`);
  }
}

const gaps = "E: journal ids have no gaps and no duplicates";

function checkJournal({ requests }: JournalPage, world: string, observed: readonly Observed[]): void {
  const ids = requests.map(({ id }) => id);
  const wrong = ids.findIndex((id, at) => at > 0 && id !== (ids[at - 1] ?? 0) + 1);
  if (wrong > 0) throw new Finding(gaps, `in ${world}, ${ids[wrong]} comes after ${ids[wrong - 1]}`);
  const byTag = new Map<string, JournalEntry>();
  for (const entry of requests) {
    const tag = entry.request.headers[tagHeader];
    if (tag === undefined) continue;
    const twin = byTag.get(tag);
    if (twin !== undefined)
      throw new Finding(gaps, `in ${world}, ${twin.id} and ${entry.id} are one request`);
    byTag.set(tag, entry);
  }
  for (const { tag, status, journalId } of observed) {
    const entry = byTag.get(tag);
    if (entry === undefined) continue;
    const { id, response, outcome } = entry;
    if (id !== journalId) throw new Finding(gaps, `the response has the id ${journalId}, the journal ${id}`);
    if (outcome === "pending" || response?.status !== status)
      throw new Finding(gaps, `entry ${id} of ${world} has ${outcome} ${response?.status}, not ${status}`);
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
    throw new Finding("D: tokens never repeat, worlds are isolated", `two groups of ${world} have ${token}`);
  const key = twins(groups.map(({ team_id, provided_id }) => `${team_id}/${provided_id}`));
  if (key !== undefined)
    throw new Finding("A: of many creations one creates", `there are two groups ${key} in ${world}`);
}

import { adminTarget } from "../contract/admin-calls.js";
import { showAssumptions } from "../contract/assumptions.js";
import { defaultWorld, worldUrl } from "../contract/world-name.js";
import { counted } from "../foundation/grammar.js";
import type { JournalEntry, Profile, RequestBody } from "../generated/types.js";
import { listTests, showEntry, showPage } from "../world/journal/show-journal.js";
import type { ServedWorld } from "../world/served-world.js";
import type { Test, Worlds } from "../world/worlds.js";
import { type AboutWorld, plainText } from "./report-data.js";
import { type ReportPart, reportLines } from "./report-lines.js";

/** What a report is about. */
interface ReportSource {
  readonly worlds: Worlds;
  readonly profile: Profile;
}

/**
 * The lines of a report in pieces: the responses to the admin calls that its page makes.
 * @param url the base URL of the server
 * @param leftOut gets a sentence for each thing that the report does not include
 * @param only by default all worlds
 */
export function recordWorlds(
  { worlds, profile }: ReportSource,
  url: string,
  leftOut: string[] = [],
  only?: ServedWorld,
): Iterable<string> {
  const { forgotten } = worlds.parts.journals;
  if (only === undefined && forgotten > 0)
    leftOut.push(`The history is limited. The oldest ${counted(forgotten, "journal")} cannot be included.`);
  const tests = worlds.tests(only?.name);
  return reportLines(recordTests(tests, worlds, profile, url), worlds.parts.version, leftOut);
}

/** Dropped worlds usually belong to tests that passed: they are the first that do not fit. */
function* recordTests(
  tests: readonly Test[],
  worlds: Worlds,
  profile: Profile,
  url: string,
): Generator<ReportPart> {
  // What happens while the report is written is not part of it.
  const found = tests.map((test) => ({ test, entries: [...test.epoch.journal].reverse() }));
  yield* record(defaultWorld, adminTarget("listTests", {}), listTests(tests));
  const states: readonly Test["state"][] = ["current", "past", "dropped"];
  for (const { test, entries } of found.sort(
    (a, b) => states.indexOf(a.test.state) - states.indexOf(b.test.state),
  )) {
    const { epoch } = test;
    const { world: name, number: id } = epoch;
    yield* record(name, "", { url: worldUrl(url, name) } satisfies AboutWorld);
    if (test.state === "current") {
      const { groups, assumed, faults } = test.epoch;
      const createdFirst = groups.list().sort((a, b) => Number(a.seeded) - Number(b.seeded));
      yield* record(name, adminTarget("health", {}), worlds.health(test.epoch));
      yield* record(name, adminTarget("listAssumptions", {}), showAssumptions(assumed, profile));
      yield* record(name, adminTarget("listFaults", {}), { faults: faults.list(epoch.journal) });
      yield* record(name, adminTarget("listGroups", {}), { groups: createdFirst });
    }
    const target = adminTarget(test.state === "current" ? "listRequests" : "listPastRequests", { id });
    yield* record(name, target, showPage(epoch, { limit: 0 }));
    for (const entry of entries) {
      const read = () => ({ entry: showEntry(entry), bodies: entry.bodies });
      yield* recordEntry(name, target, id, read);
    }
  }
}

/** A response: its fields, and then the items of its lists. */
export function* record(world: string, target: string, response: object): Generator<ReportPart> {
  const lists = Object.entries(response).filter(([, value]) => Array.isArray(value));
  const empty = Object.fromEntries(lists.map(([name]) => [name, []]));
  yield { world, target, read: () => ({ ...response, ...empty }) };
  for (const [list, items] of lists)
    for (const item of items) yield { world, target, list, read: () => item };
}

/** An entry of a journal, and its exact texts if they differ from its parsed bodies. */
export function* recordEntry(
  world: string,
  target: string,
  epoch: number,
  read: () => { readonly entry: JournalEntry; readonly bodies: RequestBody },
): Generator<ReportPart> {
  let texts: ReportPart | undefined;
  const readEntry = () => {
    const { entry, bodies } = read();
    const { id, request, response } = entry;
    const isPlain =
      bodies.request === plainText(request.body) && bodies.response === plainText(response?.body);
    const target = adminTarget("getRequestBody", { id, query: { epoch } });
    if (!isPlain) texts = { world, target, read: () => bodies };
    return entry;
  };
  yield { world, target, list: "requests", read: readEntry };
  if (texts !== undefined) yield texts;
}

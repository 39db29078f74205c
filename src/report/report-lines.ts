import { adminTarget } from "../fake/contract/admin-calls.js";
import { defaultWorld, worldUrl } from "../fake/contract/world-name.js";
import { showAssumptions } from "../fake/server/show-assumptions.js";
import type { Entry } from "../fake/world/journal/entry.js";
import { listTests, showEntry, showPage } from "../fake/world/journal/show-journal.js";
import type { ServedWorld } from "../fake/world/served-world.js";
import type { Test, Worlds } from "../fake/world/worlds.js";
import { counted } from "../foundation/grammar.js";
import type { RequestBody } from "../generated/types.js";
import type { AboutReport, AboutWorld, ReportLine } from "./report-data.js";

/** A line that a report has if it fits: its value is read only then. */
export interface ReportPart extends Pick<ReportLine, "world" | "target" | "list" | "of"> {
  readonly read: () => unknown;
}

/**
 * The lines of a report in pieces: the responses to the admin calls that its page makes.
 * @param url the base URL of the server
 * @param leftOut gets a sentence for each thing that the report does not include
 * @param only by default all worlds
 */
export function recordWorlds(
  { worlds }: { readonly worlds: Worlds },
  url: string,
  leftOut: string[] = [],
  only?: ServedWorld,
): Iterable<string> {
  const { version, journals } = worlds.parts;
  const forgotten = counted(journals.forgotten, "journal");
  if (only === undefined && journals.forgotten > 0)
    leftOut.push(`The history is limited. The oldest ${forgotten} cannot be included.`);
  const tests = worlds.tests(only?.name);
  return reportLines(recordTests(), { version }, leftOut);

  function* recordTests(): Generator<ReportPart> {
    // What happens while the report is written is not part of it.
    const found = tests.map((test) => ({ test, entries: [...test.journal].reverse() }));
    yield* record(defaultWorld, adminTarget("listTests", {}), listTests(tests));
    // Dropped worlds usually belong to tests that passed: they are the first that do not fit.
    const order = { current: 0, past: 1, dropped: 2 };
    found.sort((a, b) => order[a.test.state] - order[b.test.state]);
    for (const { test, entries } of found) yield* recordTest(test, entries);
  }

  function* recordTest(test: Test, entries: readonly Entry[]): Generator<ReportPart> {
    const { journal, world } = test;
    const { world: name, epoch } = journal;
    yield* record(name, "", { url: worldUrl(url, name) } satisfies AboutWorld);
    if (world !== undefined) {
      const { groups, behaviour, faults } = world;
      const createdFirst = groups.list().sort((a, b) => Number(a.seeded) - Number(b.seeded));
      yield* record(name, adminTarget("health", {}), worlds.health(world));
      yield* record(name, adminTarget("listAssumptions", {}), showAssumptions(behaviour));
      yield* record(name, adminTarget("listFaults", {}), { faults: faults.list(journal) });
      yield* record(name, adminTarget("listGroups", {}), { groups: createdFirst });
    }
    const target = adminTarget("listRequests", { query: { epoch } });
    yield { world: name, target, of: "requests", read: () => showPage(journal, { limit: 0 }) };
    for (const entry of entries)
      yield { world: name, target, of: "requests", list: "requests", read: () => showEntry(entry) };
    for (const entry of entries) yield textsOf(name, epoch, entry.id, () => entry.bodies);
  }
}

/** The exact texts of a request and its response. */
export function textsOf(world: string, epoch: number, id: number, read: () => RequestBody): ReportPart {
  return { world, target: adminTarget("getRequestBody", { id, query: { epoch } }), of: "texts", read };
}

/** A response: its fields, and then the items of its lists. */
export function* record(world: string, target: string, response: object): Generator<ReportPart> {
  const lists = Object.entries(response).filter(([, value]) => Array.isArray(value));
  const empty = Object.fromEntries(lists.map(([name]) => [name, []]));
  yield { world, target, read: () => ({ ...response, ...empty }) };
  for (const [list, items] of lists)
    for (const item of items) yield { world, target, list, read: () => item };
}

/**
 * About how large a report may be, in bytes, so that a browser opens it within seconds. Requests must not take the
 * space of everything else.
 */
const maxSize = { requests: 20_000_000, others: 12_000_000 };

/** About how much is written at once, in characters. */
const pieceSize = 250_000;

/** JSON in a page. `<` is escaped: no text can end the element or begin a comment. */
export function escapedJson(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

/**
 * The lines of a report in pieces, so that others get their turn.
 * @param parts the most important ones first. Items of lists and texts of bodies are left out if they do not fit
 * @param leftOut what is known to be missing; gets a sentence about what does not fit
 */
export function* reportLines(
  parts: Iterable<ReportPart>,
  about: Pick<AboutReport, "version" | "run">,
  leftOut: string[],
): Generator<string> {
  const left = { ...maxSize };
  const missing = new Map<string, number>();
  let text = "";
  for (const { read, ...part } of parts) {
    const { list, of } = part;
    const kind = of === undefined ? "others" : "requests";
    const isNeeded = list === undefined && of !== "texts";
    const isRead = isNeeded || left[kind] > 10_000;
    const line = isRead ? `${escapedJson({ ...part, value: read() } satisfies ReportLine)}\n` : "";
    const size = Buffer.byteLength(line);
    const fits = isRead && (isNeeded || size <= left[kind]);
    if (fits) {
      left[kind] -= size;
      text += line;
    } else {
      // Many values that are too large do not take long.
      left[kind] /= 2;
      if (list !== undefined) missing.set(list, (missing.get(list) ?? 0) + 1);
    }
    if (text.length < pieceSize && (fits || !isRead)) continue;
    yield text;
    text = "";
  }
  if (missing.size > 0) {
    const limit = (maxSize.requests + maxSize.others) / 1_000_000;
    const counts = [...missing].map(([list, count]) => counted(count, list.replace(/s$/, "")));
    leftOut.push(`The report is limited to about ${limit} MB. It does not include ${counts.join(", ")}.`);
  }
  const value: AboutReport = { ...about, createdAt: new Date().toISOString(), leftOut };
  yield `${text}${escapedJson({ world: "", target: "", value } satisfies ReportLine)}`;
}

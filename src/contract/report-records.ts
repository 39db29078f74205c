import { dateNow } from "../foundation/clock.js";
import { counted } from "../foundation/grammar.js";
import type { Pieces } from "../foundation/save-text.js";
import type { JournalEntry, RequestBody } from "../generated/types.js";

/** About how long a report may be, in characters of JSON, so that a browser opens it within seconds. */
const maxReportSize = 32_000_000;

/** The content of a report, from one mock. */
export interface MockRecord {
  /** The JSON of a `ReportedSeed`. Undefined if the mock was killed. */
  readonly seed: string | undefined;
  readonly worlds: readonly WorldRecord[];
  /** How many journals the mock has dropped. */
  readonly forgotten: number;
}

/** The content of a report, from one world. */
export interface WorldRecord {
  readonly name: string;
  readonly isDropped: boolean;
  readonly requests: number;
  readonly failures: number;
  /** About how long its JSON is. */
  readonly size: number;
  /** The JSON of a `ReportedWorld` without name and seed. */
  readonly json: () => Exclude<Pieces, string>;
}

/** The JSON of a `ReportData`, and its `leftOut`. */
export interface ReportJson {
  readonly pieces: AsyncIterable<string>;
  readonly leftOut: readonly string[];
}

/** A completed request to a mock of a run. */
export interface RecordedRequest {
  readonly world: string;
  /** The epoch in which it began. */
  readonly n: number;
  readonly label?: string;
  readonly entry: JournalEntry;
  readonly bodies: RequestBody;
}

/**
 * Joins the content of several mocks to one report of at most `maxSize`: first the worlds that exist, then those with
 * failures, then the newest.
 * @param problems one sentence for each thing that is missing already
 */
export function joinRecords(
  mocks: readonly MockRecord[],
  version: string,
  problems: readonly string[] = [],
  maxSize = maxReportSize,
): ReportJson {
  const all = mocks.flatMap(({ seed, worlds }, mock) => worlds.map((world) => ({ ...world, seed, mock })));
  const chosen = new Set<(typeof all)[number]>();
  /** The JSON of each seed → its index. */
  const seeds = new Map<string, number>();
  let left = maxSize;
  for (const world of all.toReversed().sort((a, b) => rankOf(a) - rankOf(b))) {
    const { seed = "" } = world;
    const size = world.size + (seeds.has(seed) ? 0 : seed.length);
    if (size > left && chosen.size > 0) continue;
    left -= size;
    chosen.add(world);
    if (seed !== "" && !seeds.has(seed)) seeds.set(seed, seeds.size);
  }
  const missing = all.filter((world) => !chosen.has(world));
  const requests = missing.reduce((sum, world) => sum + world.requests, 0);
  const forgotten = mocks.reduce((sum, mock) => sum + mock.forgotten, 0);
  const leftOut = [...problems];
  if (missing.length > 0) {
    const worlds = `${missing.length} of ${all.length} worlds, with ${counted(requests, "request")}`;
    leftOut.push(`The report is limited to about ${maxSize / 1_000_000} MB. It does not include ${worlds}.`);
  }
  if (forgotten > 0) {
    leftOut.push(`The history is limited. The oldest ${counted(forgotten, "journal")} cannot be included.`);
  }
  const counts = new Map<string, number>();
  for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1);

  async function* pieces() {
    const createdAt = new Date(dateNow()).toISOString();
    yield `{"version":${JSON.stringify(version)},"createdAt":"${createdAt}","worlds":[`;
    let separator = "";
    for (const { name, seed, mock, json } of all.filter((world) => chosen.has(world))) {
      const head = {
        name: counts.get(name) === 1 ? name : `${name} of mock ${mock + 1}`,
        ...(seed !== undefined && { seed: seeds.get(seed) }),
      };
      yield `${separator}${JSON.stringify(head).slice(0, -1)},`;
      separator = ",";
      yield* withoutBrace(json());
    }
    yield `],"seeds":[${[...seeds.keys()].join()}],"leftOut":${JSON.stringify(leftOut)}}`;
  }
  return { pieces: pieces(), leftOut };
}

function rankOf({ isDropped, failures }: WorldRecord): number {
  return isDropped ? (failures > 0 ? 1 : 2) : 0;
}

/** The JSON of an object without its opening brace. */
async function* withoutBrace(json: Exclude<Pieces, string>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const piece of json) {
    yield isFirst ? piece.slice(1) : piece;
    isFirst = false;
  }
}

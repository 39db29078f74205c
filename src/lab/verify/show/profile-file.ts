import { existsSync, statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { readProfiles } from "../../../client/read-files.js";
import { type SituationId, situationIds } from "../../../fake/contract/situations.js";
import { isObject } from "../../../foundation/json.js";
import { printableLines } from "../../../foundation/printable.js";
import { inOneLine } from "../../../foundation/readable-json.js";
import type { KnownSituations, Profile } from "../../../generated/types.js";
import { rejectFlag } from "../../../options/reject-flag.js";
import type { VerifyRun } from "../ask/run.js";
import type { BrokenFact } from "../learn/facts.js";
import { type Known, knownResponse } from "../learn/known-response.js";
import type { Learned } from "../learn/learn.js";

/** The profile that --expect names: of several files, a later one wins situation by situation. */
export async function readExpected(files: readonly string[]): Promise<Profile | undefined> {
  if (files.length === 0) return undefined;
  const profiles = (await readProfiles(files)).map(({ profile }) => profile);
  const situations = Object.assign({}, ...profiles.map((profile) => profile.situations));
  const verified = profiles.find((profile) => profile.verified !== undefined)?.verified;
  // Without anything to compare with, the check could never fail.
  if (Object.keys(situations).length === 0)
    rejectFlag(`--expect ${files.join(" ")} has no situations. Write it with verify --out ${files[0]}.`);
  return { ...profiles[0], situations, ...(verified && { verified }) };
}

/** The file that --out replaces. */
export async function readEarlier(out: string | undefined): Promise<Profile | undefined> {
  if (out === undefined || !existsSync(out)) return undefined;
  // To read a pipe such as /dev/stdout could take forever.
  if (!statSync(out).isFile())
    rejectFlag(`--out ${out} is not a regular file. verify reads the file before it replaces it.`);
  const [source] = await readProfiles([out]);
  return source?.profile;
}

interface Written {
  readonly earlier: Profile | undefined;
  readonly run: VerifyRun;
  readonly learned: Learned;
  readonly broken: readonly BrokenFact[];
  /** With --expect, only these are replaced. */
  readonly changed?: ReadonlySet<string> | undefined;
}

/** What a run has learned, with what an earlier profile has and this run did not observe. */
export function writtenProfile({
  earlier = {},
  run,
  learned,
  broken,
  changed,
}: Written): Profile & { $schema: string } {
  const before = (earlier.situations ?? {}) as Known;
  const situations: Record<string, unknown> = { ...before };
  const isReplaced = (row: string) =>
    row in learned.situations && (!(row in before) || changed === undefined || changed.has(row));
  for (const [row, said] of Object.entries(learned.situations))
    if (isReplaced(row)) situations[row] = withReason(said, before[row]);
  for (const row of situationIds) if (!isReplaced(row)) keepResponse(row, before, situations);
  // The order of the file, unless something is new.
  const isNew = Object.keys(situations).some((row) => !(row in before));
  const rows = isNew ? situationIds.filter((row) => row in situations) : Object.keys(before);
  return {
    $schema: "./node_modules/usergroup-mock/schemas/profile.json",
    ...earlier,
    verified: {
      against: run.target.baseUrl,
      on: new Date().toISOString().slice(0, 10),
      ...brokenList(earlier, run, broken),
    },
    situations: Object.fromEntries(rows.map((row) => [row, situations[row]])) as KnownSituations,
  };
}

/** A remark of a person stays. */
function withReason(said: unknown, before: unknown): unknown {
  if (!isObject(before) || before.because === undefined) return said;
  const { because } = before;
  return isObject(said) ? { because, ...said } : { outcome: said, because };
}

/** Where the response of a situation that is kept is that of another one, which has changed, it is written out. */
function keepResponse(row: SituationId, before: Known, now: Record<string, unknown>): void {
  if (now[row] !== "rejected" || before[row] !== "rejected") return;
  const was = knownResponse(row, before);
  if (was !== undefined && !isDeepStrictEqual(was, knownResponse(row, now))) now[row] = was;
}

/** Facts that do not hold, and situations that met a group of somebody else: now, or earlier and not asked again. */
function brokenList(earlier: Profile, run: VerifyRun, broken: readonly BrokenFact[]): { broken?: string[] } {
  const wasBroken = earlier.verified?.broken ?? [];
  const isOpen = (id: string) =>
    run.notAsked.has(id as SituationId) || (id === "authorization" && !run.seen.has("no API token"));
  const kept = wasBroken.filter((id) => isOpen(id));
  const all = [...new Set([...kept, ...broken.map(({ id }) => id), ...run.foreign.keys()])];
  return all.length === 0 ? {} : { broken: all };
}

/** The situations that a profile has in another way than an earlier one: somebody may have written them by hand. */
export function replacedIn(earlier: Profile | undefined, later: Profile): string[] {
  const now = (later.situations ?? {}) as Known;
  const before = Object.entries((earlier?.situations ?? {}) as Known);
  return before.filter(([row, said]) => !isDeepStrictEqual(now[row], said)).map(([row]) => row);
}

/** A profile as JSON, with each situation on one line. */
export function profileText(profile: object): string {
  const fields = Object.entries(profile).map(([name, value]) => {
    return `  ${JSON.stringify(name)}: ${name === "situations" ? rowsText(value) : inOneLine(value)}`;
  });
  return printableLines(`{\n${fields.join(",\n")}\n}\n`);
}

function rowsText(situations: object): string {
  const rows = Object.entries(situations).map(
    ([row, said]) => `    ${JSON.stringify(row)}: ${inOneLine(said)}`,
  );
  return rows.length === 0 ? "{}" : `{\n${rows.join(",\n")}\n  }`;
}

import type { SituationId } from "../../../src/fake/contract/situations.js";
import { type KnownSituations, type Mock, startMock } from "../../../src/index.js";
import { createFirst } from "../../../src/lab/verify/ask/interview.js";
import { questions } from "../../../src/lab/verify/ask/questions.js";
import { type Seen, VerifyRun } from "../../../src/lab/verify/ask/run.js";
import type { Target } from "../../../src/lab/verify/service/exchanges.js";

/** No test waits long for a service that does not respond. */
export const fastPatience = {
  timeoutMs: 2_000,
  attempts: 3,
  totalMs: 4_000,
  backoffMs: 1,
  maxPauseMs: 1_500,
};

export function targetAt(baseUrl: string, more: Partial<Target> = {}): Target {
  return { baseUrl, apiToken: "test-api-token", secondApiToken: "other-api-token", headers: {}, ...more };
}

/** A mock that knows this of the service. */
export function startKnowing(situations: object): Promise<Mock> {
  return startMock({ profile: { situations: situations as KnownSituations } });
}

/** Situations that have to be known before another one is asked. */
const before: { readonly [Id in SituationId]?: readonly SituationId[] } = {
  "existing group: name long": ["name: long"],
  "new id: capitals": ["user_group_id: capitals"],
  "new id: spaces": ["user_group_id: spaces"],
  "several problems": [
    "name: number",
    "mapping: text",
    "existing group: name number",
    "user_group_id: missing",
    "name: missing",
    "mapping: missing",
  ],
};

/** Asks about one situation, and about those that it needs. */
export async function askAbout(
  row: SituationId,
  url: string,
): Promise<{ readonly run: VerifyRun; readonly seen: Seen }> {
  const run = new VerifyRun(targetAt(url), { patience: fastPatience });
  await createFirst(run);
  for (const name of ["T3", "B", "D"] as const) await run.create(name);
  // So that the group for rotations has earlier tokens.
  if (row.startsWith("current_token: ")) for (let n = 0; n < 2; n++) await run.rotate();
  for (const earlier of before[row] ?? []) run.seen.set(earlier, await ask(run, earlier));
  const seen = await ask(run, row);
  run.seen.set(row, seen);
  return { run, seen };
}

function ask(run: VerifyRun, row: SituationId): Promise<Seen> {
  const question = questions[row];
  if (typeof question === "string") throw new Error(`${row} has no question`);
  return question.ask(run);
}

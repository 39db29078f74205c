import { type AssumptionValues, defaultAssumptions } from "../../../src/fake/contract/assumptions.js";
import { startMock } from "../../../src/index.js";
import { facts } from "../../../src/lab/verify/learn/facts.js";
import type { Patience } from "../../../src/lab/verify/service/retries.js";
import type { Target } from "../../../src/lab/verify/service/service-client.js";
import type { LearnedProfile, Report } from "../../../src/lab/verify/verify-findings.js";
import { type VerifyOptions, verifyService } from "../../../src/lab/verify/verify-service.js";

/**
 * For most questions the value that verify derives from a success, so that a failed request looks like the other value.
 * An old token is rejected, so that a rotation whose response was lost cannot be repeated.
 */
const assumed: AssumptionValues = {
  ...defaultAssumptions,
  "api-tokens": "any",
  "auth-scheme": "any-case",
  "id-matching": "trimmed-any-case",
  "name-on-create": "defaults-to-id",
  "existing-group": "updated",
  "created-status": "201",
  "foreign-token": "accepted",
  "failure-status": "always-200",
  "failure-body": "message",
  "mapping-values": "accepted",
  "numeric-ids": "coerced",
  "empty-strings": "accepted",
  "content-type": "accepted",
  "trailing-slash": "accepted",
  "videos-path": "rotates",
};

export const startKnownService = () => startMock({ assume: assumed });

/** What verify finds in the known service. */
export const expectedFindings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.values(facts).map((fact) => [fact, "holds"])),
  ...assumed,
};

export const quick: Patience = { timeoutMs: 10_000, attempts: 4, backoffMs: 4, totalMs: 60_000 };

/** What a run that was not interrupted has found. */
export type WholeReport = Report & LearnedProfile;

export async function verifyWhole(target: Target, options?: VerifyOptions): Promise<WholeReport> {
  const report = await verifyService(target, { patience: quick, ...options });
  if (report.learned === undefined) throw new Error("verify was interrupted");
  return { ...report, ...report.learned };
}

const twoTokens = { apiToken: "test-api-token", secondApiToken: "other-api-token" };

export function verifyQuickly({ url }: { url: string }, options?: VerifyOptions): Promise<WholeReport> {
  return verifyWhole({ baseUrl: url, ...twoTokens }, options);
}

/**
 * Asks all questions, and ends before the further requests: for what needs facts and assumptions only. Nothing is
 * learned, and no mock is started to compare with, which is most of the work of a run.
 */
export async function askQuestions(target: Target, options: VerifyOptions = {}): Promise<Report> {
  const { progress } = options;
  const ending = new AbortController();
  return await verifyService(target, {
    patience: quick,
    ...options,
    signal: ending.signal,
    progress: {
      begin: (run) => progress?.begin(run),
      step: (question) => {
        progress?.step(question);
        if (question === "further requests") ending.abort();
      },
    },
  });
}

export function askQuickly({ url }: { url: string }, options?: VerifyOptions): Promise<Report> {
  return askQuestions({ baseUrl: url, ...twoTokens }, options);
}

/** The verdict of each fact and the value of each assumption. */
export function findingsOf({
  facts,
  assumptions,
}: Pick<Report, "facts" | "assumptions">): Record<string, string> {
  return Object.fromEntries([
    ...facts.map(({ fact, verdict }) => [fact, verdict]),
    ...assumptions.map(({ id, value }) => [id, value ?? "not determinable"]),
  ]);
}

import { MockError } from "../../fake/contract/mock-error.js";
import { shorten } from "../../foundation/printable.js";
import type { Profile } from "../../generated/types.js";
import type { CreatedGroup, FirstGroup } from "./ask/first-group.js";
import { firstGroupQuestion, Interview, stepCount } from "./ask/interview.js";
import { type FurtherRequest, sendFurtherRequests } from "./further/further-requests.js";
import { type AssumptionFinding, concludeAssumptions, isRule } from "./learn/conclude-assumptions.js";
import { concludeFacts, type FactFinding } from "./learn/conclude-facts.js";
import { type ObservedRule, observeRules, writeAccepts } from "./learn/learn-accepts.js";
import { type Learned, learnResponses, writeResponses } from "./learn/learn-responses.js";
import { textWithoutBraces } from "./learn/placeholders.js";
import { type Named, nameResponses, play } from "./replay/play.js";
import type { Patience } from "./service/retries.js";
import { ServiceClient, type Target } from "./service/service-client.js";
import { type Comparison, compareResponses } from "./show/compare.js";
import { example } from "./text/secrets.js";

export interface VerifyOptions {
  readonly patience?: Patience;
  readonly progress?: VerifyProgress;
  /** Ends the run. What was learned so far is returned. */
  readonly signal?: AbortSignal;
}

export interface VerifyProgress {
  /** Called before the first request. */
  readonly begin: (run: { readonly prefix: string; readonly steps: number }) => void;
  readonly step: (question: string) => void;
}

/** What a run has found. No text in it contains a secret. */
export interface Report {
  readonly against: string;
  readonly prefix: string;
  readonly requests: number;
  readonly groups: number;
  readonly facts: readonly FactFinding[];
  readonly assumptions: readonly AssumptionFinding[];
  readonly rules: readonly ObservedRule[];
  /** Undefined if the run was interrupted. */
  readonly learned: LearnedProfile | undefined;
  /** Whether every question got a usable response. */
  readonly isAnswered: boolean;
}

/** What a run has learned, and how right it is. */
export interface LearnedProfile {
  readonly profile: WrittenProfile;
  readonly further: FurtherComparison;
  readonly replay: Comparison;
  readonly responses: Learned;
  /** The requests from which it was learned, for a comparison with another profile. */
  readonly entries: readonly Named[];
  readonly client: ServiceClient;
}

/** How a mock with the profile responds to requests from which it was not learned. */
interface FurtherComparison extends Comparison {
  readonly requests: readonly {
    readonly title: string;
    readonly kind: FurtherRequest["kind"];
    readonly same: boolean;
    readonly exact: boolean;
  }[];
}

export type WrittenProfile = Required<Profile> & { readonly $schema: string };

/** Asks a service, learns from the responses, and checks what was learned. */
export async function verifyService(target: Target, options: VerifyOptions = {}): Promise<Report> {
  const { patience, progress, signal } = options;
  const client = new ServiceClient(target, { patience, signal });
  const interview = new Interview(client, (question) => progress?.step(question));
  progress?.begin({ prefix: client.groups.prefix, steps: stepCount + 1 });
  let first: FirstGroup | undefined;
  let learned: LearnedProfile | undefined;
  try {
    first = await interview.askFirstGroup();
    if (first === undefined) throw cannotStart(target, interview);
    await interview.askAll();
    learned = await learnProfile(interview, first, progress);
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
  const seen = { first, answers: interview.answers, entries: interview.entries };
  const rules = observeRules(seen.answers);
  const show = (text: string) => shorten(client.secrets.show(text), maxReason);
  const unanswered = [...interview.answers.values()].some(({ unanswered }) => unanswered);
  return {
    against: target.baseUrl,
    prefix: client.groups.prefix,
    requests: client.budget.requests,
    groups: client.budget.groups,
    facts: first === undefined ? [] : concludeFacts({ ...seen, first }).map((one) => showReasons(one, show)),
    assumptions:
      first === undefined
        ? []
        : concludeAssumptions({ ...seen, first, rules }).map((one) => showReasons(one, show)),
    rules,
    learned,
    isAnswered: !unanswered,
  };
}

function cannotStart({ baseUrl }: Target, { answers }: Interview): MockError {
  const { why, value } = answers.get(firstGroupQuestion) ?? {};
  const { created } = (value as CreatedGroup | undefined) ?? {};
  const reason = why ?? `the first request returned status ${created?.status} and no success`;
  const advice = "Check the URL and the API token, or pass a valid body with --sample.";
  return new MockError("unreachable", `verify cannot start with ${baseUrl}: ${reason}. ${advice}`);
}

/** How long a reason may be: it can quote a response. */
const maxReason = 400;

interface Reasons {
  readonly detail?: string;
  readonly why?: string;
}

function showReasons<Finding extends Reasons>(finding: Finding, show: (text: string) => string): Finding {
  const { detail, why } = finding;
  return {
    ...finding,
    ...(detail !== undefined && { detail: show(detail) }),
    ...(why !== undefined && { why: show(why) }),
  };
}

async function learnProfile(
  interview: Interview,
  first: FirstGroup,
  progress: VerifyProgress | undefined,
): Promise<LearnedProfile> {
  const { client, answers, entries } = interview;
  const { secrets, groups, target } = client;
  progress?.step("further requests");
  const furtherEntries = await askFurther(client);
  const clean = (text: string) => secrets.hide(groups.withoutOwn(text, example));
  const rules = observeRules(answers);
  const accepts = writeAccepts(rules);
  const assume = writeAssumptions(concludeAssumptions({ first, answers, entries, rules }));
  const named = await nameResponses(client, entries, { accepts, assume });
  const responses = learnResponses(named, clean);
  const broken = concludeFacts({ first, answers, entries }).filter(({ verdict }) => verdict === "broken");
  const profile: WrittenProfile = {
    $schema: "./node_modules/usergroup-mock/schemas/profile.json",
    verified: {
      against: target.baseUrl,
      on: new Date().toISOString().slice(0, 10),
      ...(broken.length > 0 && { broken: broken.map(({ id }) => id) }),
    },
    accepts,
    assume,
    responses: writeResponses(responses.responses),
  };
  const cleanWhole = (text: string) => clean(textWithoutBraces(text));
  const compared = { secrets, clean: cleanWhole, examplePaths: responses.examplePaths };
  const further = await play(client, furtherEntries, profile, entries);
  const requests = further.map((one) => {
    const { same, exact } = compareResponses([one], compared);
    return { title: one.probe, kind: one.kind, same: same === 1, exact: exact === 1 };
  });
  return {
    profile,
    further: { ...compareResponses(further, compared), requests },
    replay: compareResponses(await play(client, entries, profile), compared),
    responses,
    entries: named,
    client,
  };
}

/** Requests from which nothing is learned. A 5xx counts only if the service sends it again. */
async function askFurther(client: ServiceClient): Promise<FurtherRequest[]> {
  client.budget.release();
  const kept: FurtherRequest[] = [];
  for (const entry of await sendFurtherRequests(client))
    if (entry.response.status < 500 || (await client.repeats(entry))) kept.push(entry);
  return kept;
}

/** The values that a profile has. Rules for bodies are in `accepts`. */
function writeAssumptions(findings: readonly AssumptionFinding[]): NonNullable<Profile["assume"]> {
  const found = findings.filter(({ value, id }) => value !== null && !isRule(id));
  return Object.fromEntries(found.map(({ id, value }) => [id, value]));
}

import { MockError } from "../../fake/contract/mock-error.js";
import { shorten } from "../../foundation/printable.js";
import type { FirstGroup } from "./ask/first-group.js";
import { Interview } from "./ask/interview.js";
import { questionCount } from "./ask/questions.js";
import { askFurther, type FurtherRequest } from "./further/further-requests.js";
import { concludeAssumptions } from "./learn/conclude-assumptions.js";
import { concludeFacts } from "./learn/conclude-facts.js";
import { observeRules } from "./learn/learn-accepts.js";
import { learnProfile } from "./learn/learn-profile.js";
import { checkProfile } from "./replay/check-profile.js";
import { GroupClient } from "./service/group-client.js";
import type { Patience } from "./service/retries.js";
import type { Target } from "./service/service-client.js";
import type { Findings, LearnedProfile, Report } from "./verify-findings.js";

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

/** Asks a service, learns from the responses, and checks what was learned. */
export async function verifyService(target: Target, options: VerifyOptions = {}): Promise<Report> {
  const { patience, progress, signal } = options;
  const client = new GroupClient(target, { patience, signal });
  const interview = new Interview(client, (question) => progress?.step(question));
  progress?.begin({ prefix: client.groups.prefix, steps: questionCount + 1 });
  const { first, further } = await askEverything(interview, options);
  const found = conclude(interview, first);
  const learned = first && further && (await learn(interview, found, further));
  return {
    against: target.baseUrl,
    prefix: client.groups.prefix,
    requests: client.budget.requests,
    groups: client.budget.groups,
    ...withoutSecrets(found, client),
    learned,
    unanswered: interview.answers.unanswered,
  };
}

interface AskedParts {
  first?: FirstGroup;
  /** Undefined if the run was interrupted before. */
  further?: readonly FurtherRequest[];
}

/** Sends all requests of a run. If it is interrupted, what was asked until then stays. */
async function askEverything(
  interview: Interview,
  { signal, progress }: VerifyOptions,
): Promise<Readonly<AskedParts>> {
  const asked: AskedParts = {};
  try {
    const first = await interview.askFirstGroup();
    if (first === undefined) throw cannotStart(interview);
    asked.first = first;
    await interview.askAll();
    progress?.step("further requests");
    asked.further = await askFurther(interview.client);
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
  return asked;
}

function cannotStart({ answers, client }: Interview): MockError {
  const { why, value } = answers.get("first group") ?? {};
  const reason = why ?? `the first request returned status ${value?.created.status} and no success`;
  const advice = "Check the URL and the API token, or pass a valid body with --sample.";
  return new MockError(
    "unreachable",
    `verify cannot start with ${client.target.baseUrl}: ${reason}. ${advice}`,
  );
}

function conclude({ answers, entries }: Interview, first: FirstGroup | undefined): Findings {
  const rules = observeRules(answers);
  if (first === undefined) return { rules, facts: [], assumptions: [] };
  const seen = { first, answers, entries };
  return { rules, facts: concludeFacts(seen), assumptions: concludeAssumptions(seen, rules) };
}

async function learn(
  { client, entries }: Interview,
  found: Findings,
  further: readonly FurtherRequest[],
): Promise<LearnedProfile> {
  const learned = await learnProfile(client, entries, found);
  return { ...learned, ...(await checkProfile(client, learned, { entries, further })), client };
}

/** How long a reason may be: it can quote a response. */
const maxReason = 400;

function withoutSecrets({ rules, facts, assumptions }: Findings, { secrets }: GroupClient): Findings {
  const show = (text: string) => shorten(secrets.show(text), maxReason);
  return {
    rules,
    facts: facts.map((one) => showReasons(one, show)),
    assumptions: assumptions.map((one) => showReasons(one, show)),
  };
}

/** The parts of a finding that can quote the service. */
interface Reasons {
  readonly detail?: string;
  readonly why?: string;
  readonly remark?: string;
}

function showReasons<Finding extends Reasons>(finding: Finding, show: (text: string) => string): Finding {
  const { detail, why, remark } = finding;
  return {
    ...finding,
    ...(detail !== undefined && { detail: show(detail) }),
    ...(why !== undefined && { why: show(why) }),
    ...(remark !== undefined && { remark: show(remark) }),
  };
}

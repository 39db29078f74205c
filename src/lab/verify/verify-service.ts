import { type AssumptionId, assumptionIds, defaultAssumptions } from "../../contract/assumptions.js";
import { MockError } from "../../foundation/mock-error.js";
import { type Check, facts } from "./facts.js";
import { NoResponse, type PaceOptions } from "./pace.js";
import { NotDeterminable, questions } from "./questions.js";
import { ServiceClient, type Target } from "./service-client.js";

export interface FactFinding {
  readonly fact: string;
  /** "not determinable": there was no usable response. */
  readonly verdict: "holds" | "broken" | "not determinable";
  /** What is wrong, or why the fact is not determinable. */
  readonly detail?: string;
}

export interface AssumptionFinding {
  readonly id: AssumptionId;
  readonly default: string;
  /** null: not determinable. */
  readonly value: string | null;
  /** Why the value is null. */
  readonly why?: string;
  /** The value is null because there was no usable response. */
  readonly unanswered?: true;
}

/** No text in it contains an API token. */
export interface Report {
  readonly against: string;
  /** Prefix of the ids of the created groups. */
  readonly prefix: string;
  readonly facts: readonly FactFinding[];
  readonly assumptions: readonly AssumptionFinding[];
}

/** Is called around the first request, and around every fact and question. */
export interface Watch {
  readonly begin: (step: string) => void;
  /** @param soFar what is known now */
  readonly done: (step: string, result: string, soFar: Report) => void;
  /** Is called before a pause that a failed request causes. */
  readonly wait?: PaceOptions["onWait"];
}

export interface VerifyOptions extends Pick<PaceOptions, "patience"> {
  readonly watch?: Watch;
}

/** The number of facts and questions. */
export const checkCount = Object.keys(facts).length + assumptionIds.length;

/** Checks all facts and finds the values of all assumptions. Creates groups in the service. */
export async function verifyService(target: Target, options: VerifyOptions = {}): Promise<Report> {
  const { watch } = options;
  const client = new ServiceClient(target, { ...options, onWait: watch?.wait });
  const report = {
    against: target.baseUrl,
    prefix: client.prefix,
    facts: [] as FactFinding[],
    assumptions: [] as AssumptionFinding[],
  };
  watch?.begin("first request");
  await checkFirstResponse(client);
  watch?.done("first request", "ok", report);
  for (const [fact, check] of Object.entries(facts)) {
    watch?.begin(fact);
    const finding = await checkFact(client, fact, check);
    report.facts.push(finding);
    watch?.done(fact, finding.verdict, report);
  }
  for (const id of assumptionIds) {
    watch?.begin(id);
    const settled = await settle<string>(client, questions[id]);
    const finding = { id, default: defaultAssumptions[id], value: null, ...settled };
    report.assumptions.push(finding);
    watch?.done(id, finding.value ?? "not determinable", report);
  }
  return report;
}

/** What a probe found, or why it found nothing. */
type Settled<Value> = { readonly value: Value } | { readonly why: string; readonly unanswered?: true };

async function settle<Value>(
  client: ServiceClient,
  probe: (client: ServiceClient) => Promise<Value>,
): Promise<Settled<Value>> {
  try {
    return { value: await client.pace.attempt(() => probe(client)) };
  } catch (error) {
    if (error instanceof NotDeterminable) return { why: client.mask(error.message) };
    if (error instanceof NoResponse) return { why: client.mask(error.message), unanswered: true };
    throw error;
  }
}

async function checkFact(client: ServiceClient, fact: string, check: Check): Promise<FactFinding> {
  const settled = await settle(client, check);
  if ("why" in settled) return { fact, verdict: "not determinable", detail: settled.why };
  if (settled.value === undefined) return { fact, verdict: "holds" };
  return { fact, verdict: "broken", detail: client.mask(settled.value) };
}

/** Throws if this is another service, if it does not respond, or if the token is wrong. */
async function checkFirstResponse(client: ServiceClient): Promise<void> {
  const { baseUrl } = client.target;
  const settled = await settle(client, () => client.create());
  if ("why" in settled)
    throw new MockError("unreachable", `No usable response from ${baseUrl}: ${settled.why}. Check the URL.`);
  const { status, isSuccess } = settled.value;
  if (isSuccess) return;
  const failure = `The first request to ${baseUrl}/api/user returned status ${status} and no success`;
  throw new MockError("unreachable", `${failure}. Check the URL and the API token.`);
}

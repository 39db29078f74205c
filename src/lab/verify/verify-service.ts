import { type AssumptionId, assumptionIds, defaultAssumptions } from "../../contract/assumptions.js";
import { MockError } from "../../foundation/mock-error.js";
import { facts } from "./facts.js";
import { NotDeterminable, questions } from "./questions.js";
import { NoResponse, type Patience, ServiceClient, type Target, usualPatience } from "./service-client.js";

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

export interface VerifyOptions {
  readonly patience?: Patience;
  /** Is called before the first request, and before every fact and question. */
  readonly onBegin?: (step: string) => void;
  readonly onDone?: (step: string, result: string) => void;
}

/** The number of facts and questions. */
export const checkCount = Object.keys(facts).length + assumptionIds.length;

/** Checks all facts and finds the values of all assumptions. Creates groups in the service. */
export async function verifyService(
  target: Target,
  { patience = usualPatience, onBegin, onDone }: VerifyOptions = {},
): Promise<Report> {
  const client = new ServiceClient(target, patience);
  onBegin?.("first request");
  await checkFirstResponse(client);
  onDone?.("first request", "ok");
  const factFindings: FactFinding[] = [];
  for (const [fact, check] of Object.entries(facts)) {
    onBegin?.(fact);
    const settled = await settle(client, check);
    if ("why" in settled) factFindings.push({ fact, verdict: "not determinable", detail: settled.why });
    else if (settled.value === undefined) factFindings.push({ fact, verdict: "holds" });
    else factFindings.push({ fact, verdict: "broken", detail: client.mask(settled.value) });
    onDone?.(fact, factFindings.at(-1)?.verdict ?? "");
  }
  const assumptions: AssumptionFinding[] = [];
  for (const id of assumptionIds) {
    onBegin?.(id);
    const settled = await settle<string>(client, questions[id]);
    const finding = { id, default: defaultAssumptions[id], value: null, ...settled };
    assumptions.push(finding);
    onDone?.(id, finding.value ?? "not determinable");
  }
  return { against: target.baseUrl, prefix: client.prefix, facts: factFindings, assumptions };
}

/** What a probe found, or why it found nothing. */
type Settled<Value> = { readonly value: Value } | { readonly why: string; readonly unanswered?: true };

async function settle<Value>(
  client: ServiceClient,
  probe: (client: ServiceClient) => Promise<Value>,
): Promise<Settled<Value>> {
  try {
    return { value: await client.attempt(() => probe(client)) };
  } catch (error) {
    if (error instanceof NotDeterminable) return { why: client.mask(error.message) };
    if (error instanceof NoResponse) return { why: client.mask(error.message), unanswered: true };
    throw error;
  }
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

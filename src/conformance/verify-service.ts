import { MockError } from "../foundation/mock-error.js";
import { type AssumptionId, assumptionIds, defaultAssumptions } from "../service/assumptions.js";
import { Asker, type Target } from "./ask.js";
import { type Fact, facts } from "./facts.js";
import { NoResponse, type PaceOptions } from "./pace.js";
import { NotDeterminable, questions } from "./questions.js";

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

/** Is called around the first call, and around every fact and question. */
export interface Watch {
  readonly begin: (step: string) => void;
  readonly done: (step: string, result: string) => void;
  /** Is called before a pause that a failed request causes. */
  readonly wait?: (ms: number, why: string) => void;
}

export interface VerifyOptions extends Pick<PaceOptions, "patience" | "rate"> {
  readonly watch?: Watch;
  /** Ends it. The report then has what is known so far. */
  readonly signal?: AbortSignal;
}

/** The number of facts and questions. */
export const checkCount = facts.length + assumptionIds.length;

/** Checks all facts and finds the values of all assumptions. Creates groups in the service. */
export async function verifyService(target: Target, options: VerifyOptions = {}): Promise<Report> {
  const { watch, signal } = options;
  const ask = new Asker(target, { ...options, onWait: watch?.wait });
  const report = {
    against: target.baseUrl,
    prefix: ask.prefix,
    facts: [] as FactFinding[],
    assumptions: [] as AssumptionFinding[],
  };
  const take = async <Finding>(
    step: string,
    find: () => Promise<Finding>,
    show: (found: Finding) => string,
  ) => {
    signal?.throwIfAborted();
    watch?.begin(step);
    const found = await find();
    watch?.done(step, show(found));
    return found;
  };
  try {
    await take(
      "first call",
      () => checkFirstResponse(ask),
      () => "answered",
    );
    for (const fact of facts)
      report.facts.push(
        await take(
          fact.fact,
          () => checkFact(fact, ask),
          ({ verdict }) => verdict,
        ),
      );
    for (const id of assumptionIds)
      report.assumptions.push(
        await take(
          id,
          () => findValue(id, ask),
          ({ value }) => value ?? "not determinable",
        ),
      );
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
  return report;
}

/** What a probe found, or why it found nothing. */
type Settled<Value> = { readonly value: Value } | { readonly why: string; readonly unanswered?: true };

async function settle<Value>(ask: Asker, probe: () => Promise<Value>): Promise<Settled<Value>> {
  try {
    return { value: await ask.pace.attempt(probe) };
  } catch (error) {
    if (error instanceof NotDeterminable) return { why: ask.hide(error.message) };
    if (error instanceof NoResponse) return { why: ask.hide(error.message), unanswered: true };
    throw error;
  }
}

async function checkFact({ fact, check }: Fact, ask: Asker): Promise<FactFinding> {
  const settled = await settle(ask, () => check(ask));
  if ("why" in settled) return { fact, verdict: "not determinable", detail: settled.why };
  if (settled.value === undefined) return { fact, verdict: "holds" };
  return { fact, verdict: "broken", detail: ask.hide(settled.value) };
}

async function findValue(id: AssumptionId, ask: Asker): Promise<AssumptionFinding> {
  const settled = await settle<string>(ask, () => questions[id](ask));
  return { id, default: defaultAssumptions[id], value: null, ...settled };
}

/** Throws if this is another service, if it does not respond, or if the token is wrong. */
async function checkFirstResponse(ask: Asker): Promise<void> {
  const { baseUrl } = ask.target;
  const settled = await settle(ask, () => ask.create());
  if ("why" in settled)
    throw new MockError("unreachable", `${baseUrl} gives no usable response: ${settled.why}. Check the URL.`);
  if (settled.value.isSuccess) return;
  const { status, json } = settled.value;
  const answered = `${baseUrl}/api/user answered ${status}`;
  // A proxy in front of the service may reject the token, with any kind of body.
  if (status === 401 || status === 403)
    throw new MockError("refused", `${answered} to the first call. Is the API token right?`);
  if (json === undefined)
    throw new MockError(
      "not_the_service",
      `${answered} with something that is not a JSON object: this is not the User Group Service. Check the URL.`,
    );
  if (!("success" in json) && !("user_group" in json)) {
    const fields = ask.hide(Object.keys(json).slice(0, 5).join(", ")) || "nothing";
    throw new MockError(
      "not_the_service",
      `${answered} with ${fields}, and without success: this is another API. Check the URL.`,
    );
  }
  const success = ask.hide(JSON.stringify(json.success));
  throw new MockError(
    "refused",
    `${answered} and success ${success} to the first call. Are the API token and the URL right?`,
  );
}

import { MockError } from "../foundation/mock-error.js";
import { type AssumptionId, assumptionIds, defaultAssumptions } from "../service/assumptions.js";
import { Asker, type ServiceAnswer, succeeded, type Target } from "./ask.js";
import { type Fact, facts } from "./facts.js";
import { type PaceOptions, Unanswered } from "./pace.js";
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
  const take = async (step: string, work: () => Promise<string>) => {
    signal?.throwIfAborted();
    watch?.begin(step);
    const result = await work();
    watch?.done(step, result);
  };
  try {
    await take("first call", async () => {
      assertUserGroupService(await firstAnswer(ask), target);
      return "answered";
    });
    for (const fact of facts) {
      await take(fact.fact, async () => {
        const finding = await checkFact(fact, ask);
        report.facts.push(finding);
        return finding.verdict;
      });
    }
    for (const id of assumptionIds) {
      await take(id, async () => {
        const finding = await findValue(id, ask);
        report.assumptions.push(finding);
        return finding.value ?? "not determinable";
      });
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
  return report;
}

async function firstAnswer(ask: Asker): Promise<ServiceAnswer> {
  try {
    return await ask.pace.attempt(() => ask.getOrCreate({ user_group_id: ask.newId(), name: "Verify" }));
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    const { baseUrl } = ask.target;
    throw new MockError(
      "unreachable",
      `${baseUrl} gives no usable response: ${error.message}. Check the URL.`,
    );
  }
}

async function checkFact({ fact, check }: Fact, ask: Asker): Promise<FactFinding> {
  try {
    const detail = await ask.pace.attempt(() => check(ask));
    return detail === undefined ? { fact, verdict: "holds" } : { fact, verdict: "broken", detail };
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    return { fact, verdict: "not determinable", detail: error.message };
  }
}

async function findValue(id: AssumptionId, ask: Asker): Promise<AssumptionFinding> {
  const finding = { id, default: defaultAssumptions[id] };
  try {
    return { ...finding, value: await ask.pace.attempt<string>(() => questions[id](ask)) };
  } catch (error) {
    if (error instanceof NotDeterminable) return { ...finding, value: null, why: error.message };
    if (error instanceof Unanswered) return { ...finding, value: null, why: error.message, unanswered: true };
    throw error;
  }
}

/** Throws if the first answer shows that this is another service or that the token is wrong. */
function assertUserGroupService(answer: ServiceAnswer, { baseUrl }: Target): void {
  if (succeeded(answer)) return;
  const { status, json } = answer;
  const answered = `${baseUrl}/api/user answered ${status}`;
  // A proxy in front of the service may reject the token, with any kind of body.
  if (status === 401 || status === 403) {
    throw new MockError("refused", `${answered} to the first call. Is the API token right?`);
  }
  if (json === undefined) {
    throw new MockError(
      "not_the_service",
      `${answered} with something that is not a JSON object: this is not the User Group Service. Check the URL.`,
    );
  }
  if (!("success" in json) && !("user_group" in json)) {
    const fields = Object.keys(json).slice(0, 5).join(", ") || "nothing";
    throw new MockError(
      "not_the_service",
      `${answered} with ${fields}, and without success: this is another API. Check the URL.`,
    );
  }
  throw new MockError(
    "refused",
    `${answered} and success ${JSON.stringify(json.success)} to the first call. Are the API token and the URL right?`,
  );
}

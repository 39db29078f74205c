import { MockError } from "../foundation/mock-error.js";
import { type AssumptionId, assumptionIds, defaultAssumptions } from "../service/assumptions.js";
import { type Answer, Asker, succeeded, type Target } from "./ask.js";
import { facts } from "./facts.js";
import { NotDeterminable, questions } from "./questions.js";

export interface FactFinding {
  readonly fact: string;
  readonly verdict: "holds" | "broken";
  /** What is otherwise. */
  readonly detail?: string;
}

export interface AssumptionFinding {
  readonly id: AssumptionId;
  readonly default: string;
  /** null: not determinable. */
  readonly value: string | null;
  /** Why it is not determinable. */
  readonly why?: string;
}

/** What a service was found to do. */
export interface Report {
  readonly against: string;
  /** What the ids of the groups that were made begin with. */
  readonly prefix: string;
  readonly facts: readonly FactFinding[];
  readonly assumptions: readonly AssumptionFinding[];
}

/** Asks a service for every documented fact and every open question. It writes to that service. */
export async function verifyService(target: Target): Promise<Report> {
  const ask = new Asker(target);
  refuseStrangers(await ask.getOrCreate({ user_group_id: ask.newId(), name: "Verify" }), target);
  const checked: FactFinding[] = [];
  for (const { fact, check } of facts) {
    const detail = await check(ask);
    checked.push(detail === undefined ? { fact, verdict: "holds" } : { fact, verdict: "broken", detail });
  }
  const found: AssumptionFinding[] = [];
  for (const id of assumptionIds) found.push(await settle(id, ask));
  return { against: target.baseUrl, prefix: ask.prefix, facts: checked, assumptions: found };
}

async function settle(id: AssumptionId, ask: Asker): Promise<AssumptionFinding> {
  try {
    return { id, default: defaultAssumptions[id], value: await questions[id](ask) };
  } catch (error) {
    if (!(error instanceof NotDeterminable)) throw error;
    return { id, default: defaultAssumptions[id], value: null, why: error.message };
  }
}

/** The first answer tells whether it makes sense to go on. */
function refuseStrangers(answer: Answer, { baseUrl }: Target): void {
  if (succeeded(answer)) return;
  const { status, json } = answer;
  const said = `${baseUrl}/api/user answered ${status}`;
  // Whatever stands before the service may refuse a token, in a shape of its own.
  if (status === 401 || status === 403) {
    throw new MockError("refused", `${said} to the first call. Is the API token right?`);
  }
  if (json === undefined) {
    throw new MockError(
      "not_the_service",
      `${said} with something that is no JSON object: this is no User Group Service.`,
    );
  }
  if (!("success" in json) && !("user_group" in json)) {
    const fields = Object.keys(json).slice(0, 5).join(", ") || "nothing";
    throw new MockError(
      "not_the_service",
      `${said} with ${fields}, and without success: this is another API.`,
    );
  }
  throw new MockError(
    "refused",
    `${said} and success ${JSON.stringify(json.success)} to the first call. Is the API token right, and the URL?`,
  );
}

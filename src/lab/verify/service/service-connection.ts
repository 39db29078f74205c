import { servicePath } from "../../../fake/contract/operations.js";
import { asError } from "../../../foundation/located-problem.js";
import type { Budget } from "./budget.js";
import { NoResponse } from "./not-determinable.js";
import type { ReceivedResponse } from "./received-response.js";
import type { SentRequest } from "./recorded.js";
import { sendRequest } from "./send-request.js";

interface ConnectionOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Sends single requests to a service, within a budget. */
export class ServiceConnection {
  readonly #baseUrl: string;
  readonly #budget: Budget;
  readonly #options: ConnectionOptions;

  constructor(baseUrl: string, budget: Budget, options: ConnectionOptions) {
    this.#baseUrl = baseUrl;
    this.#budget = budget;
    this.#options = options;
  }

  /**
   * Throws NoResponse if there is no usable response.
   * @param mayCreate whether the request may create a group
   */
  async exchange(request: SentRequest, mayCreate: boolean): Promise<ReceivedResponse> {
    this.#budget.spend(mayCreate);
    const response = await this.#receive(request);
    const problem = whyUnusable(request, response);
    if (mayCreate && hasCreatedNone(response, problem)) this.#budget.giveBackGroup();
    if (problem === undefined) return response;
    const retryAfter = response.headers["retry-after"];
    const header = retryAfter === undefined ? "" : ` (Retry-After: ${retryAfter})`;
    const reason = `${request.method} ${request.path} ${problem}${header}`;
    throw new NoResponse(reason, { status: response.status, retryAfter });
  }

  async #receive(request: SentRequest): Promise<ReceivedResponse> {
    try {
      return await sendRequest(this.#baseUrl, request, this.#options);
    } catch (error) {
      // The user has ended the run.
      if (this.#options.signal?.aborted) throw error;
      const { message, code } = asError(error);
      throw new NoResponse(`${request.method} ${request.path} failed: ${message || code}`);
    }
  }
}

/** Statuses of a proxy or an overloaded service. */
const busy = [408, 425, 429, 502, 503, 504];

/**
 * Whether no group was created, as far as a response tells. One that cannot be used does not tell, unless the request was
 * throttled. A rejection is taken for it, also with status 500, which is not among the busy ones: otherwise, a service that
 * crashes at every mistake would soon end the budget.
 */
function hasCreatedNone(response: ReceivedResponse, problem: string | undefined): boolean {
  const { status, isSuccess, fields } = response;
  if (problem !== undefined) return status === 429;
  return !isSuccess || fields.new_user_group === false;
}

/** Why a response proves nothing about the service. */
function whyUnusable({ path }: SentRequest, { status, headers, json }: ReceivedResponse): string | undefined {
  if (busy.includes(status) || (status >= 400 && headers["retry-after"] !== undefined))
    return `returned ${status}`;
  // Broken JSON, or the maintenance page of a proxy. At another path, a website may have a page.
  const isNoJson = status < 300 && json === undefined && path === servicePath;
  return isNoJson ? `returned ${status} without JSON` : undefined;
}

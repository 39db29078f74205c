import { operations, servicePath } from "../../../fake/contract/operations.js";
import type { JsonObject } from "../../../foundation/json.js";
import { Secrets } from "../text/secrets.js";
import { Budget } from "./budget.js";
import { NoResponse, NotDeterminable } from "./not-determinable.js";
import { OwnGroups } from "./own-groups.js";
import { isSameResponse, type ReceivedResponse } from "./received-response.js";
import { type Recorded, type SentRequest, sentFields } from "./recorded.js";
import { type Patience, Retries, usualPatience } from "./retries.js";
import { ServiceConnection } from "./service-connection.js";

/** The second API token is of another team, for some questions. The sample is a valid body of get-or-create. */
export interface Target {
  readonly baseUrl: string;
  readonly apiToken: string;
  readonly secondApiToken?: string;
  readonly sample?: JsonObject;
}

/** What a question returns, or why that is not determinable. `unanswered`: there was no usable response. */
export type Answer<Value = unknown> =
  | { readonly value: Value; readonly why?: undefined; readonly unanswered?: undefined }
  | { readonly value?: undefined; readonly why: string; readonly unanswered?: true };

/** An answer, with the requests from which it follows. */
export interface Asked<Value> {
  readonly answer: Answer<Value>;
  readonly entries: readonly Recorded[];
}

/** How a request differs from the usual one. Null sends no header. The scheme is the first word of Authorization. */
export interface RequestOptions {
  readonly apiToken?: string | null;
  readonly scheme?: string;
  readonly contentType?: string | null;
  readonly path?: string;
  readonly method?: string;
  readonly hasSeveralMistakes?: boolean | undefined;
  /** Why no profile can express it if the mock responds in another way. */
  readonly inexpressible?: string | undefined;
}

export interface AskOptions {
  /** Whether a question without a usable response is asked again. */
  readonly isRepeated?: boolean;
}

export interface ClientOptions {
  readonly patience?: Patience | undefined;
  /** Ends the run. */
  readonly signal?: AbortSignal | undefined;
}

/** After so many questions in a row without a usable response, the service is left alone. */
const maxUnanswered = 10;

/** Sends requests to a service, within a budget, and records them. Uses only groups that it created itself. */
export class ServiceClient {
  readonly target: Target;
  readonly groups = new OwnGroups();
  readonly budget = new Budget();
  readonly secrets: Secrets;
  /** Tokens that look like those of the service, and that it never issued. */
  readonly inventedTokens = new Set<string>();
  readonly #connection: ServiceConnection;
  readonly #retries: Retries;
  /** The name of the current question. */
  #question = "";
  /** What the current attempt to ask it has sent. */
  #entries: Recorded[] = [];
  /** How many questions in a row got no usable response. */
  #unanswered = 0;

  constructor(target: Target, { patience = usualPatience, signal }: ClientOptions = {}) {
    const { timeoutMs } = patience;
    this.target = target;
    this.secrets = new Secrets([target.apiToken, target.secondApiToken ?? ""]);
    this.#retries = new Retries(patience, signal);
    this.#connection = new ServiceConnection(target.baseUrl, this.budget, { timeoutMs, signal });
  }

  /**
   * Asks one question: a name, and a function that sends requests and returns what they show.
   *
   * A throttled request had no effect, so `send` repeats it by itself. After any other request without a usable response,
   * nobody knows what it did, so the whole question is asked again: each makes its own groups. Only the requests of the
   * last attempt are kept.
   * @param options `isRepeated: false` asks only once
   */
  async ask<Value>(
    name: string,
    question: () => Promise<Value>,
    { isRepeated = true }: AskOptions = {},
  ): Promise<Asked<Value>> {
    if (this.#unanswered >= maxUnanswered) {
      const why = `the service did not respond to ${maxUnanswered} questions in a row`;
      return { answer: { why, unanswered: true }, entries: [] };
    }
    this.#question = name;
    const attempt = () => {
      this.#entries = [];
      return question();
    };
    try {
      const value = await this.#retries.send(attempt, ({ isThrottled }) => isRepeated && !isThrottled);
      return { answer: { value }, entries: this.#entries };
    } catch (error) {
      if (!(error instanceof NotDeterminable)) throw error;
      // What got a response before is still known.
      return { answer: this.#answerWithout(error), entries: this.#entries };
    }
  }

  #answerWithout(error: NotDeterminable): Answer<never> {
    const why = this.secrets.show(error.message);
    if (!(error instanceof NoResponse)) return { why };
    this.#unanswered++;
    return { why, unanswered: true };
  }

  /** Sends one request of the current question. Throws NoResponse if there is no usable response. */
  async send(body: JsonObject | string | undefined, options: RequestOptions = {}): Promise<ReceivedResponse> {
    const { hasSeveralMistakes, inexpressible } = options;
    const request = this.#requestFor(body, options);
    this.groups.checkRequest(request);
    const response = await this.#retries.send(
      () => this.#exchange(request),
      ({ isThrottled }) => isThrottled && !this.#mayLockAccount(request),
    );
    this.groups.noteResponse(request, response);
    this.#entries.push({ question: this.#question, request, response, hasSeveralMistakes, inexpressible });
    return response;
  }

  /** Leaves out the last request of the current question: it shows something else than it was sent for. */
  forgetLast(): void {
    this.#entries.pop();
  }

  /**
   * Whether the service sends the same response again. False if it cannot be asked. The request was checked when it was
   * sent first, and its response shows nothing new.
   */
  async repeats({ request, response }: Recorded): Promise<boolean> {
    if (this.#mayLockAccount(request)) return false;
    try {
      return isSameResponse(response, await this.#exchange(request));
    } catch (error) {
      if (error instanceof NotDeterminable) return false;
      throw error;
    }
  }

  /** A request that has not one of the API tokens in the usual form is sent once only. */
  #mayLockAccount({ headers }: SentRequest): boolean {
    const { apiToken, secondApiToken } = this.target;
    const own = [apiToken, secondApiToken ?? apiToken].map((one) => authorization(one));
    return !own.includes(headers.Authorization ?? "");
  }

  #requestFor(body: JsonObject | string | undefined, options: RequestOptions): SentRequest {
    const { path = servicePath, method = operations["get-or-create"].method } = options;
    const { apiToken = this.target.apiToken, scheme, contentType = "application/json" } = options;
    const headers = {
      ...(contentType !== null && { "Content-Type": contentType }),
      ...(apiToken !== null && { Authorization: authorization(apiToken, scheme) }),
    };
    return { method, path, headers, text: typeof body === "object" ? JSON.stringify(body) : body };
  }

  async #exchange(request: SentRequest): Promise<ReceivedResponse> {
    const { user_group_id: id, current_token } = sentFields(request);
    // For another API token, there may be no group of this id yet.
    const isUsual = request.headers.Authorization === authorization(this.target.apiToken);
    const mayCreate = current_token === undefined && !(isUsual && this.groups.isOwn(id));
    const response = await this.#connection.exchange(request, mayCreate);
    if (typeof response.group.token === "string") this.secrets.add(response.group.token);
    // Most of the characters of an invented token are those of the token of a group.
    if (typeof current_token === "string" && this.inventedTokens.has(current_token))
      this.secrets.add(current_token);
    this.#unanswered = 0;
    return response;
  }
}

function authorization(apiToken: string, scheme = "Token"): string {
  return `${scheme} ${apiToken}`;
}

import { setTimeout as sleep } from "node:timers/promises";
import { exchange, UnusableResponse } from "../../../foundation/exchange.js";
import { asError } from "../../../foundation/located-problem.js";
import { type Exchange, type Received, readResponse, type Sent, wireBody } from "./exchanges.js";
import { BudgetEnded, Unanswered, Unlearnable } from "./not-asked.js";
import { limits, type OwnGroups } from "./own-groups.js";

/** How long verify waits, and how often it repeats what got no response. */
export const usualPatience = {
  /** Of a whole exchange. */
  timeoutMs: 10_000,
  attempts: 4,
  /** No further attempt if the earlier ones took so long, pauses aside. */
  totalMs: 19_000,
  /** The first pause. Each further one is twice as long. */
  backoffMs: 500,
  /** A longer Retry-After is not waited for. */
  maxPauseMs: 60_000,
};

export type Patience = typeof usualPatience;

/** The most of a response that is read, in characters. */
const maxResponseLength = 1_000_000;

/** The deepest JSON that is read: what is kept of it is walked and serialised. */
const maxResponseDepth = 100;

/** Statuses of a proxy, or of a service that is busy: never a response to what was sent. */
const busy = [429, 502, 503, 504];

export interface SendOptions {
  /** Never repeated: it may have had an effect, although there was no response. */
  readonly isOnce?: boolean;
}

export interface Costs {
  readonly requests: number;
  readonly groups: number;
}

interface ClientOptions {
  readonly patience?: Patience | undefined;
  /** Ends the run. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends single requests to the service, within a budget, and repeats what got no response. */
export class ServiceClient {
  /** How many were sent. */
  requests = 0;
  /** What is set aside for later parts of the run. */
  reserve: Costs = { requests: 0, groups: 0 };
  /** Everything that got a response. */
  readonly exchanges: Exchange[] = [];
  readonly #baseUrl: string;
  readonly #groups: OwnGroups;
  readonly #patience: Patience;
  readonly #signal: AbortSignal | undefined;
  /** Pages with a 5xx that a second attempt has confirmed. */
  readonly #confirmedPages = new Set<string>();
  /** Whether the last request without a response took long. */
  isSlow = false;

  constructor(baseUrl: string, groups: OwnGroups, { patience = usualPatience, signal }: ClientOptions = {}) {
    this.#baseUrl = baseUrl;
    this.#groups = groups;
    this.#patience = patience;
    this.#signal = signal;
  }

  /**
   * Throws NotAsked if there is no usable response.
   * @param make makes the request, anew for each attempt: an earlier one may have created its group
   */
  async send(make: () => Sent, { isOnce = false }: SendOptions = {}): Promise<Exchange> {
    let spentMs = 0;
    let lastPage: string | undefined;
    for (let attempt = 1; ; attempt++) {
      const sent = make();
      const began = performance.now();
      const result = await this.#attempt(sent);
      spentMs += performance.now() - began;
      if (typeof result !== "string") {
        const page = pageOf(result, sent);
        const isConfirmed = page === undefined || page === lastPage || this.#confirmedPages.has(page);
        if (isConfirmed || (isOnce && !busy.includes(result.status))) return this.#keep(sent, result, page);
        lastPage = busy.includes(result.status) ? undefined : page;
      }
      this.isSlow = spentMs >= this.#patience.timeoutMs;
      const reason = `${sent.method} ${sent.path} ${typeof result === "string" ? `failed: ${result}` : `returned ${result.status}`}`;
      if (isOnce) throw new Unlearnable(`${reason}; this request is sent only once`);
      const pauseMs = this.#pauseAfter(result, attempt);
      const isEnough = attempt >= this.#patience.attempts || spentMs >= this.#patience.totalMs;
      if (isEnough || pauseMs > this.#patience.maxPauseMs)
        throw new Unanswered(`${reason} (attempts: ${attempt})`);
      await sleep(pauseMs, undefined, { signal: this.#signal });
    }
  }

  #keep(sent: Sent, received: Received, page: string | undefined): Exchange {
    if (page !== undefined) this.#confirmedPages.add(page);
    const kept = { sent, received };
    this.exchanges.push(kept);
    return kept;
  }

  #pauseAfter(result: Received | string, attempt: number): number {
    const retryAfterMs = typeof result === "string" ? 0 : Number(result.headers["retry-after"]) * 1000 || 0;
    return Math.max(retryAfterMs, this.#patience.backoffMs * 2 ** (attempt - 1));
  }

  /** The response, or why there is none. */
  async #attempt(sent: Sent): Promise<Received | string> {
    this.#signal?.throwIfAborted();
    if (this.requests >= limits.requests - this.reserve.requests)
      throw new BudgetEnded(`verify sends at most ${limits.requests} requests`);
    this.#groups.allow(sent, limits.groups - this.reserve.groups);
    this.requests++;
    try {
      const received = await exchangeOnce(this.#baseUrl, sent, this.#patience.timeoutMs, this.#signal);
      // The request was not even looked at.
      if (received.status === 429) this.#groups.noteRejected(sent);
      return received;
    } catch (error) {
      this.#signal?.throwIfAborted();
      if (error instanceof Unlearnable) throw error;
      const { message, code } = asError(error);
      return message || code || "no response";
    }
  }
}

/** Sends one request. Throws Unlearnable if nothing can be done with the response. */
export async function exchangeOnce(
  baseUrl: string,
  sent: Sent,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Received> {
  const { method, path, headers } = sent;
  const body = wireBody(sent);
  const options = {
    method,
    headers,
    text: body,
    timeoutMs,
    maxLength: maxResponseLength,
    ...(signal && { signal }),
  };
  const url = new URL(baseUrl + path);
  const response = await exchange(url, options).catch((error: unknown) => {
    throw error instanceof UnusableResponse ? new Unlearnable(`${method} ${path}: ${error.message}`) : error;
  });
  const { status } = response;
  if (status < 200 || status > 599)
    throw new Unlearnable(`${method} ${path}: the response has the status ${status}`);
  const received = readResponse(status, response.headers, response.text, url.origin);
  if (isDeeperThan(received.json, maxResponseDepth))
    throw new Unlearnable(
      `${method} ${path}: the JSON of the response has more than ${maxResponseDepth} levels`,
    );
  return received;
}

/** What a response with a 5xx looks like, apart from numbers and the ids of the run. Undefined: it has another status. */
function pageOf({ status, text }: Received, { path }: Sent): string | undefined {
  if (status < 500) return undefined;
  return `${status} ${text.replaceAll(path, "").replace(/ugm-?\w+|[\da-f-]{8,}|\d+/gi, "")}`;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

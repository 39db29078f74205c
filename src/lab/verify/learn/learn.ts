import { isDeepStrictEqual } from "node:util";
import {
  canPerform,
  canReject,
  isSuccess as isSuccessRow,
  rowOf,
  type SituationId,
  type SuccessId,
  situationIds,
  wordsOf,
} from "../../../fake/contract/situations.js";
import { isObject, type JsonObject } from "../../../foundation/json.js";
import type { KnownSituations } from "../../../generated/types.js";
import type { Seen, VerifyRun } from "../ask/run.js";
import { succeeded } from "../service/exchanges.js";
import { NotAsked } from "../service/not-asked.js";
import { HeaderLearner } from "./headers.js";
import { type Known, knownResponse } from "./known-response.js";
import { RejectionTemplate } from "./rejection-template.js";
import type { Secrets } from "./secrets.js";
import { learnSeveral } from "./several-problems.js";
import { learnAdded } from "./successes.js";

/** What was seen of a service. */
export type Learnable = Pick<VerifyRun, "seen" | "usual" | "pairs">;

export interface Learned {
  readonly situations: KnownSituations;
  /** What was seen and cannot be in a profile, with the reason. */
  readonly unlearned: ReadonlyMap<SituationId, NotAsked>;
  /** What the situations say, before those that are alike became words. */
  readonly found: Readonly<Record<string, unknown>>;
}

/** Makes rows of exchanges. Who sent the requests makes no difference. */
export function learn(seen: Learnable, secrets: Secrets): Learned {
  return new Learner(seen, secrets).learn();
}

/** Questions about groups whose mapping or properties are empty. */
const withoutObjects = ["mapping: empty", "mapping: missing", "properties: missing"] as const;

/** Responses without a body cannot be in a profile. */
const bodiless = [204, 205, 304];

class Learner {
  readonly #run: Learnable;
  readonly #secrets: Secrets;
  readonly #headers: HeaderLearner;
  readonly #unlearned = new Map<SituationId, NotAsked>();

  constructor(run: Learnable, secrets: Secrets) {
    this.#run = run;
    this.#secrets = secrets;
    const usual = run.usual.map(({ exchange }) => exchange);
    const { user_group } = this.#added("created");
    const ofGroup = isObject(user_group) ? user_group : {};
    const rejections = [...run.seen.values()].filter(({ received }) => !succeeded(received));
    this.#headers = new HeaderLearner([...usual, ...rejections], secrets, ofGroup);
  }

  learn(): Learned {
    const found: Record<string, unknown> = {};
    const { common } = this.#headers;
    if (Object.keys(common).length > 0) found["every response"] = { headers: common };
    for (const [row, seen] of this.#run.seen) {
      try {
        found[row] = row === "several problems" ? this.#several() : this.#outcome(row, seen);
      } catch (error) {
        if (!(error instanceof NotAsked)) throw error;
        this.#unlearned.set(row, error);
      }
    }
    // Each row is compared with the others before any of them becomes a word.
    const { ...before } = found;
    const alike = situationIds.filter((row) => isLikeAnother(row, found));
    for (const row of alike) found[row] = "rejected";
    const ordered = situationIds.filter((row) => found[row] !== undefined);
    // The mock that the check starts validates it.
    const situations = Object.fromEntries(ordered.map((row) => [row, found[row]])) as KnownSituations;
    return { situations, unlearned: this.#unlearned, found: before };
  }

  /** Throws NotAsked if a profile cannot say it. */
  #outcome(row: SituationId, seen: Seen): unknown {
    if (isSuccessRow(row)) return this.#success(row, seen);
    if (seen.outcome !== undefined) {
      if (canPerform(row) && wordsOf(row).includes(seen.outcome)) return seen.outcome;
      throw new NotAsked("accepted, which a profile cannot say", seen.outcome);
    }
    const { status } = seen.received;
    if (!canReject(row)) throw new NotAsked("rejected, which a profile cannot say", `status ${status}`);
    if (bodiless.includes(status))
      throw new NotAsked("a response that cannot be learned", `status ${status} has no body`);
    return { ...seen.limit, ...this.#rejection(row, seen) };
  }

  /** Which of several problems gives the response. Throws NotAsked if the responses do not tell. */
  #several(): string {
    const word = learnSeveral(this.#run, (row, exchange) => this.#rejection(row, exchange));
    if (word === undefined)
      throw new NotAsked("nothing to ask", "responses that do not tell which problem it is");
    return word;
  }

  /** The response to a rejection, with placeholders for what was sent. */
  #rejection(row: SituationId, exchange: Pick<Seen, "sent" | "received">): JsonObject {
    const { sent, received } = exchange;
    const template = new RejectionTemplate(row, sent);
    const isHead = sent.method === "HEAD";
    const isText = received.json === undefined && !isHead;
    const headers = this.#headers.own(row, exchange, isText);
    const content = isText
      ? { text: this.#secrets.hideText(template.text(received.text)) }
      : { body: this.#secrets.hide(template.json(received.json)) };
    return {
      status: received.status,
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(!isHead && content),
    };
  }

  /** The fields that the responses to a success have beyond the document. */
  #added(row: SuccessId): JsonObject {
    const ofKind = (kind: SuccessId) =>
      this.#run.usual.filter((one) => one.kind === kind).map(({ exchange }) => exchange);
    const empty = withoutObjects.flatMap((one) => this.#run.seen.get(one) ?? []);
    return learnAdded(ofKind(row), { created: ofKind("created"), empty }, this.#secrets);
  }

  /** What a success has that ours does not. */
  #success(row: SuccessId, seen: Seen): unknown {
    const body = this.#added(row);
    const headers = this.#headers.own(row, seen, false);
    const { status } = seen.received;
    return {
      // What is assumed about the status of a creation is known now.
      ...((status !== 200 || row === "created") && { status }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(Object.keys(body).length > 0 && { body }),
    };
  }
}

/** Whether a rejection has the response of the row that it falls back to: then a word is enough. */
function isLikeAnother(row: SituationId, found: Known): boolean {
  const { like, limit } = rowOf(row);
  const isRejection = isObject(found[row]) && canReject(row) && limit === undefined;
  return isRejection && like !== undefined && isDeepStrictEqual(found[row], knownResponse(like, found));
}

import { operationOf, servicePath } from "../../../fake/contract/operations.js";
import type { FirstGroup, LaterResponses } from "../ask/first-group.js";
import type { Answers } from "../ask/questions.js";
import { NotDeterminable } from "../service/not-determinable.js";
import type { ReceivedResponse } from "../service/received-response.js";
import type { Recorded } from "../service/recorded.js";
import type { Answer } from "../service/service-client.js";

/** What a run has seen of a service. Everything is concluded from it. */
export interface SeenByRun {
  readonly first: FirstGroup;
  readonly answers: Answers;
  readonly entries: readonly Recorded[];
}

/** A question got no usable response, although it was repeated. */
export class Unanswered extends NotDeterminable {}

/** The value of an answer. Throws why there is none. */
export function answered<Value>(answer: Answer<Value> | undefined): Value {
  if (answer === undefined) throw new NotDeterminable("this was not asked");
  if (answer.why === undefined) return answer.value;
  throw answer.unanswered ? new Unanswered(answer.why) : new NotDeterminable(answer.why);
}

/** Why a conclusion could not be made, for a report. */
export function reasonOf(error: NotDeterminable): { why: string; unanswered?: true } {
  return { why: error.message, ...(error instanceof Unanswered && { unanswered: true }) };
}

export function later({ first }: Pick<SeenByRun, "first">): LaterResponses {
  return answered(first.later);
}

/**
 * The rejections by the operations of the service, to an API token with which another request has succeeded. A proxy or a
 * router may reject other paths and methods, and another layer of the service wrong API tokens.
 */
export function rejections({ entries }: Pick<SeenByRun, "entries">): ReceivedResponse[] {
  const successes = entries.filter(({ response }) => response.isSuccess);
  const accepted = new Set(successes.map(({ request }) => request.headers.Authorization));
  return entries
    .filter(({ request, response }) => {
      const isOperation = request.path === servicePath && operationOf(request.method) !== undefined;
      return isOperation && !response.isSuccess && accepted.has(request.headers.Authorization);
    })
    .map(({ response }) => response);
}

import type { JsonObject } from "../../foundation/json.js";
import type { Effect, Operation, Problem } from "../../generated/types.js";
import type { FailureCode } from "../contract/failures.js";
import type { Group } from "../contract/group-fields.js";
import type { Responses } from "../contract/operations.js";
import {
  canReject,
  rowOf,
  type SituationId,
  type SuccessId,
  type successes,
} from "../contract/situations.js";
import type { Decisions } from "./decisions.js";

/**
 * A request, as far as its operation and its response need it besides what it sent. The request itself is that: an object
 * or a closure more for each one would cost 1 % of it.
 */
export interface RequestContext {
  /** Id of the request. It is stored with a token that the request rotates out. */
  readonly id: number;
  readonly decisions: Decisions;
  /** How the response to an earlier request did not reach its client, as the end of a sentence; undefined if it did. */
  lostBy(request: number): string | undefined;
  /** Whether an earlier epoch of the world issued the token, as far as the history knows. */
  issuedEarlier(token: string): boolean;
  /** Adds a note to the request. */
  note(text: string): void;
  /** What placeholders of a profile stand for, by name. Called only if the response has one. */
  sent(): JsonObject;
  /** What a placeholder stands for, for a group. */
  ofGroup(group: Group, name: string): unknown;
}

type SuccessOf<O extends Operation> = {
  [Id in SuccessId]: (typeof successes)[Id] extends O ? Id : never;
}[SuccessId];

/** The situations of requests that succeed, by operation. */
type Successes = { readonly [O in Operation]: SuccessOf<O> };

/** What a successful operation did, and its response. */
export interface Performed<O extends Operation = Operation> {
  readonly situation: Successes[O];
  readonly effect: Effect;
  /** The group after the request. */
  readonly group: Group;
  /** With the effect `updated`: the fields of the group that changed. */
  readonly changes?: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;
  readonly body: Responses[O];
}

/** A situation in which a body is rejected, and where. */
export interface Mistake {
  readonly situation: SituationId;
  /** A JSON pointer to the field of the body that is wrong, or to the key in it. Undefined: it is about the whole body. */
  readonly path?: string | undefined;
}

/** Why the service rejected a request. The profile and the assumptions decide what it looks like on the wire. */
export interface Rejection extends Partial<Mistake> {
  readonly code: FailureCode;
  /** What is wrong, and what to do. */
  readonly message: string;
  readonly details?: Problem[];
  /** What else is wrong with the body, in the order of the table. */
  readonly others?: readonly Mistake[];
  /** The id of the earlier request that explains it. */
  readonly request?: number | undefined;
  /** Remarks about the body. */
  readonly notes?: readonly string[];
}

/** The rejection of a request in a situation. */
export function rejectIn(
  situation: SituationId,
  message: string,
  more: Omit<Rejection, "code" | "situation" | "message"> = {},
): Rejection {
  const { code } = rowOf(situation);
  if (code === undefined || !canReject(situation)) throw new Error(`Nothing is rejected in: ${situation}`);
  return { code, situation, message, ...more };
}

export function isRejection(result: object): result is Rejection {
  return (result as Partial<Rejection>).code !== undefined;
}

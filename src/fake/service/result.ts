import type { Effect, Operation, Problem } from "../../generated/types.js";
import type { FailureCode, FailureKind } from "../contract/failures.js";
import type { Group } from "../contract/group-fields.js";
import type { Responses } from "../contract/operations.js";
import type { SuccessNames } from "../contract/response-names.js";
import type { Decisions } from "./decisions.js";

/** The sender of a request, and what an operation may use besides the body. */
export interface OperationContext {
  readonly teamId: number;
  /** Id of the request. It is stored with a token that the request rotates out. */
  readonly request: number;
  readonly decisions: Decisions;
  /** How the response to an earlier request did not reach its client, as the end of a sentence; undefined if it did. */
  readonly lostBy: (request: number) => string | undefined;
  /** Whether an earlier epoch of the world issued the token, as far as the history knows. */
  readonly issuedEarlier: (token: string) => boolean;
  /** Adds a note to the request. */
  readonly note: (text: string) => void;
}

/** What a successful operation did, and its response. */
export interface Performed<O extends Operation = Operation> {
  /** Of the response. */
  readonly name: SuccessNames[O];
  readonly effect: Effect;
  /** The group after the request. */
  readonly group: Group;
  /** With the effect `updated`: the fields of the group that changed. */
  readonly changes?: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;
  readonly body: Responses[O];
}

/** Why the service rejected a request. The profile and the assumptions decide what it looks like on the wire. */
export type Rejection = { readonly [Code in FailureCode]: RejectionWith<Code> }[FailureCode];

interface RejectionWith<Code extends FailureCode> {
  readonly code: Code;
  /** The narrower case: `missing` of `unauthorized.missing`. A profile knows no response to one without a row. */
  readonly kind?: FailureKind<Code> | undefined;
  /** A JSON pointer to the field of the body that is wrong, or to the key in it. */
  readonly path?: string | undefined;
  /** What is wrong, and what to do. */
  readonly message: string;
  readonly details?: Problem[];
  /** The id of the earlier request that explains it. */
  readonly request?: number | undefined;
  /** Remarks about the body. */
  readonly notes?: readonly string[];
}

export function isRejection(result: object): result is Rejection {
  return (result as Partial<Rejection>).code !== undefined;
}

import type { Effect, Operation, SchemaFile, SchemaTypes } from "../../generated/types.js";

/** The path of every operation. */
export const servicePath: string = "/api/user";

/** The field of a body that names the group: by its id, whether or not it exists, or by a token that it has or had. */
export type NamingField = "user_group_id" | "current_token";

interface OperationRow {
  readonly method: string;
  readonly namedBy: NamingField;
  readonly request: SchemaFile;
  readonly response: SchemaFile;
  readonly summary: string;
  readonly success: string;
}

/**
 * The operations of the service. Routes, `Allow`, validation, OpenAPI, the
 * requests of `verify` and the labels of the inspector derive from this table, or are a `Record<Operation, …>`.
 */
export const operations = {
  "get-or-create": {
    method: "GET",
    namedBy: "user_group_id",
    request: "get-or-create.request.json",
    response: "get-or-create.response.json",
    summary: "Get or create a user group",
    success: "The user group, and whether this request created it",
  },
  rotate: {
    method: "POST",
    namedBy: "current_token",
    request: "rotate.request.json",
    response: "rotate.response.json",
    summary: "Rotate the token of a user group",
    success: "The user group with its new token",
  },
} as const satisfies Record<Operation, OperationRow>;

export const operationIds = Object.keys(operations) as readonly Operation[];

export function operationOf(method: string): Operation | undefined {
  return operationIds.find((id) => operations[id].method === method);
}

/** The request body, by operation. */
export type Bodies = { readonly [O in Operation]: SchemaTypes[(typeof operations)[O]["request"]] };

/** The response body on success, by operation. */
export type Responses = { readonly [O in Operation]: SchemaTypes[(typeof operations)[O]["response"]] };

/** How many levels the body of a request may nest. */
export const maxDepth = 100;

/** The methods of the service, as an `Allow` header lists them. */
export const allowedMethods = operationIds.map((id) => operations[id].method).join(", ");

interface EffectInWorld {
  /** What happened in the world. */
  readonly was: string;
  /** What happened before something else. */
  readonly hadBeen: string;
  /** What a client without the response does not know. */
  readonly unseen?: string;
}

/** What a request can do in the world. */
export const effects: Readonly<Record<Effect, EffectInWorld>> = {
  created: { ...effectTexts("the group", "created"), unseen: "the client never saw its token" },
  found: effectTexts("the group", "found"),
  updated: effectTexts("the group", "updated"),
  rotated: { ...effectTexts("the token", "rotated"), unseen: "the client never saw the new token" },
  none: { was: "the request had no effect", hadBeen: "the request had been rejected" },
};

function effectTexts(what: string, done: string): EffectInWorld {
  return { was: `${what} was ${done}`, hadBeen: `${what} had been ${done}` };
}

import type { Operation, SchemaFile, SchemaTypes } from "../../generated/types.js";

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

/** The methods of the service, as an `Allow` header lists them. */
export const allowedMethods = operationIds.map((id) => operations[id].method).join(", ");

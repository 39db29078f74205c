import type { SchemaFile } from "../generated/shipped-schemas.js";
import { type AdminCallId, adminCall, adminCallIds, type adminCalls } from "./admin-calls.js";
import { operationIds, operations } from "./operations.js";

/** The schemas that `--schemas` can make stricter: what the user's own program and files contain. */
export const overlaidSchemas: readonly (
  | (typeof operations)[keyof typeof operations]["request"]
  | "fixture.json"
)[] = [...operationIds.map((id) => operations[id].request), "fixture.json"];

type CallTable = typeof adminCalls;
type RequestOf<Call> = Call extends { readonly request: infer File extends SchemaFile } ? File : never;
type QueryOf<Call> = Call extends { readonly query: infer File extends SchemaFile } ? File : never;

/** The schemas of all input. Only these have a compiled validator. */
export type CheckedSchema =
  | (typeof overlaidSchemas)[number]
  | { [Id in AdminCallId]: RequestOf<CallTable[Id]> | QueryOf<CallTable[Id]> }[AdminCallId];

/** For the build, which compiles the validators. */
export const checkedSchemas: readonly SchemaFile[] = [
  ...new Set([
    ...overlaidSchemas,
    ...adminCallIds.map(adminCall).flatMap(({ request = [], query = [] }) => [request, query].flat()),
  ]),
];

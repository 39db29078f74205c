import { operationIds, operations } from "../src/contract/operations.js";

const used = new Set<string>(operationIds.map((id) => operations[id].method));

/** Methods that no operation of the service has. */
export const unusedMethods = ["DELETE", "PUT", "PATCH", "TRACE"].filter((method) => !used.has(method));

/** One of them, where any will do. */
export const unusedMethod = unusedMethods[0] ?? "";

/** What is said about an operation that does not exist. */
export const oneOfTheOperations: string = `must be ${operationIds.map((id) => `"${id}"`).join(" or ")}`;

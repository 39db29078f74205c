import { operationIds, operations } from "../src/fake/contract/operations.js";

const used = new Set<string>(operationIds.map((id) => operations[id].method));

/** HTTP methods that the service does not support. */
export const unusedMethods = ["DELETE", "PUT", "PATCH", "TRACE"].filter((method) => !used.has(method));

/** A method that the service does not support. */
export const unusedMethod = unusedMethods[0] ?? "";

/** The message about an unknown operation. */
export const oneOfTheOperations: string = `must be ${operationIds.map((id) => `"${id}"`).join(" or ")}`;

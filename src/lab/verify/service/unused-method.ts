import type { operations } from "../../../fake/contract/operations.js";
import type { Operation } from "../../../generated/types.js";

/** No operation has it: the compiler checks that. Never DELETE or PATCH, which may do what verify cannot undo. */
export const unusedMethod: Exclude<"PUT", (typeof operations)[Operation]["method"]> = "PUT";

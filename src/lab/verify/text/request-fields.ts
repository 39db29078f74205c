import { operationIds, operations } from "../../../fake/contract/operations.js";
import { shippedSchemas } from "../../../generated/shipped-schemas.js";

/** The fields that the document defines for the requests of any operation. */
export const requestFieldNames: ReadonlySet<string> = new Set(
  operationIds.flatMap((id) => Object.keys(shippedSchemas[operations[id].request].properties)),
);

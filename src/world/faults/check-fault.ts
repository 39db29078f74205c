import { findKinds, kindNames } from "../../contract/fault-kinds.js";
import { MockError } from "../../contract/mock-error.js";
import { operations } from "../../contract/operations.js";
import type { LocatedProblem } from "../../foundation/coded-error.js";
import { headerProblems } from "../../foundation/header-problems.js";
import { hint } from "../../foundation/nearest.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { FaultRule } from "../../generated/types.js";

/** Throws what is wrong with a rule that its schema accepts. */
export function checkFault(rule: FaultRule): void {
  const problems: LocatedProblem[] = [];
  const kinds = findKinds(rule);
  if (kinds.length !== 1) {
    const message = `must have exactly one of ${kindNames.join(", ")}; it has ${kinds.join(" and ") || "none"}`;
    problems.push({ path: "", message });
  }
  if (rule.body !== undefined && rule.text !== undefined) {
    problems.push({ path: "/text", message: "cannot be combined with body" });
  }
  problems.push(...matchProblems(rule), ...headerProblems(rule.headers ?? {}));
  if (problems.length > 0) throw new MockError("invalid_fault", "Invalid fault:", problems);
}

/** The schema knows the fields of all operations. A request of one of them has fewer. */
function matchProblems({ operation, match = {} }: FaultRule): LocatedProblem[] {
  if (operation === undefined) return [];
  const known = Object.keys(shippedSchemas[operations[operation].request].properties);
  return Object.keys(match)
    .filter((field) => !known.includes(field))
    .map((field) => ({
      path: `/match/${field}`,
      message: `is not a field of ${operation}${hint(field, known)}`,
    }));
}

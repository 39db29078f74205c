import { effectNames, effectsOf, type FaultEffect } from "../../contract/fault-effects.js";
import { operations } from "../../contract/operations.js";
import { type LocatedProblem, MockError } from "../../foundation/mock-error.js";
import { hint } from "../../foundation/nearest.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { FaultRule } from "../../generated/types.js";

/** The effect of a rule that its schema accepts. Throws what is wrong with the rule. */
export function checkFault(rule: FaultRule): FaultEffect {
  const problems: LocatedProblem[] = [];
  const asked = effectsOf(rule);
  const [effect] = asked;
  if (effect === undefined || asked.length > 1) {
    const found = asked.length === 0 ? "it says none" : `it says ${asked.join(" and ")}`;
    const message = `must say exactly one effect of ${effectNames.join(", ")}; ${found}`;
    problems.push({ path: "", message });
  }
  if (rule.body !== undefined && rule.text !== undefined) {
    problems.push({ path: "/text", message: "cannot stand beside body; keep one of them" });
  }
  const { min = 0, max = 0 } = rule.latencyMs ?? {};
  if (min > max) problems.push({ path: "/latencyMs/max", message: `must be at least min, which is ${min}` });
  problems.push(...matchProblems(rule), ...headerProblems(rule.headers ?? {}));
  if (effect === undefined || problems.length > 0)
    throw new MockError("invalid_fault", "This fault cannot be armed:", problems);
  return effect;
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

/** Headers that frame the answer or name its journal entry: the mock sets them. */
const ownHeaders =
  /^(content-length|transfer-encoding|connection|keep-alive|date|trailer|usergroup-mock-.*)$/i;

function headerProblems(headers: Readonly<Record<string, string>>): LocatedProblem[] {
  const seen = new Set<string>();
  return Object.entries(headers).flatMap(([name, value]) => {
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    const message = headerProblem(name, value, isRepeated);
    return message === undefined ? [] : [{ path: `/headers/${name}`, message }];
  });
}

function headerProblem(name: string, value: string, isRepeated: boolean): string | undefined {
  // Assigning to __proto__ adds no header.
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || name === "__proto__") return "is no name of a header";
  if (ownHeaders.test(name)) return "is set by the mock itself; leave it out";
  if (isRepeated) return "is given twice: upper and lower case make no difference";
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    return "must be text without line breaks and control characters, in Latin-1";
  return undefined;
}

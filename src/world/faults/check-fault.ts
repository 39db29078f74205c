import { effectNames, effectsOf } from "../../contract/fault-effects.js";
import { type LocatedProblem, MockError } from "../../foundation/mock-error.js";
import type { FaultRule } from "../../generated/types.js";

/** Throws what is wrong with a rule that its schema accepts. */
export function checkFault(rule: FaultRule): void {
  const problems: LocatedProblem[] = [];
  const asked = effectsOf(rule);
  if (asked.length !== 1) {
    const found = asked.length === 0 ? "it says none" : `it says ${asked.join(" and ")}`;
    const message = `must say exactly one effect of ${effectNames.join(", ")}; ${found}`;
    problems.push({ path: "", message });
  }
  if (rule.body !== undefined && rule.text !== undefined) {
    problems.push({ path: "/text", message: "cannot stand beside body; keep one of them" });
  }
  problems.push(...headerProblems(rule.headers ?? {}));
  if (problems.length > 0) throw new MockError("invalid_fault", "This fault cannot be armed:", problems);
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

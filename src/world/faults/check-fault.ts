import { effectNames, effectsOf } from "../../contract/fault-effects.js";
import { type Schemas, validOr } from "../../contract/schemas.js";
import { type LocatedProblem, MockError } from "../../foundation/mock-error.js";
import type { FaultRule } from "../../generated/types.js";

/** The rule that was given, or throws what is wrong with it. */
export function checkFault(given: unknown, schemas: Schemas): FaultRule {
  const refusal = ["invalid_fault", "This fault cannot be armed:"] as const;
  const valid = validOr(schemas.parse("fault.request.json", given), ...refusal);
  // Without a prototype: a program may have put a key called `text` or `status` on that of all objects.
  const request: FaultRule = Object.assign(Object.create(null), valid);
  // The schema checks each field; how they go together is checked here.
  const problems: LocatedProblem[] = [];
  const asked = effectsOf(request);
  if (asked.length !== 1) {
    const found = asked.length === 0 ? "it says none" : `it says ${asked.join(" and ")}`;
    const message = `must say exactly one effect of ${effectNames.join(", ")}; ${found}`;
    problems.push({ path: "", message });
  }
  if (request.dribble && request.delayMs === undefined) {
    problems.push({ path: "/delayMs", message: "is required with dribble: how long the answer takes" });
  }
  for (const part of ["headers", "body", "text"] as const) {
    if (request[part] !== undefined && request.status === undefined) {
      problems.push({ path: `/${part}`, message: "goes with status" });
    }
  }
  if (request.body !== undefined && request.text !== undefined) {
    problems.push({ path: "/text", message: "cannot stand beside body; keep one of them" });
  }
  if (/\p{Cs}/u.test(request.text ?? "")) {
    problems.push({
      path: "/text",
      message: "must not hold half of a surrogate pair: UTF-8 cannot carry it",
    });
  }
  problems.push(...headerProblems(request.headers ?? {}));
  if (problems.length > 0) throw new MockError(...refusal, problems);
  return request;
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

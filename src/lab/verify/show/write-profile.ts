import { isDeepStrictEqual } from "node:util";
import { resolveResponses } from "../../../fake/contract/profile.js";
import { isObject } from "../../../foundation/json.js";
import type { KnownFailure, Profile } from "../../../generated/types.js";
import { isSameRule, ruleIn, writeAccepts } from "../learn/learn-accepts.js";
import { writeResponses } from "../learn/learn-responses.js";
import type { LearnedProfile, Report } from "../verify-service.js";

/** What a run has learned, with what an earlier profile has and this run did not observe. */
export function withEarlier(earlier: Profile, { rules }: Report, learned: LearnedProfile): Profile {
  const { responses } = learned.responses;
  const kept = [...resolveResponses(earlier.responses)].filter(([name]) => !responses.has(name));
  return {
    ...earlier,
    ...learned.profile,
    accepts: writeAccepts(rules, earlier.accepts),
    assume: { ...earlier.assume, ...learned.profile.assume },
    responses: writeResponses(new Map([...responses, ...kept])),
  };
}

/** What a profile has in another way than an earlier one: somebody may have written it by hand. */
export function replacedIn(earlier: Profile, later: Profile, { rules }: Report): string[] {
  const replaced: string[] = [];
  for (const rule of rules) {
    const was = ruleIn(earlier.accepts ?? {}, rule);
    if (was !== undefined && !isSameRule(was, rule.value))
      replaced.push(`${rule.value === undefined ? "removed" : "replaced"} accepts ${rulePlace(rule)}`);
  }
  for (const [id, was] of Object.entries(earlier.assume ?? {}))
    if (later.assume?.[id as keyof typeof later.assume] !== was)
      replaced.push(`replaced assume ${id} (was ${was})`);
  const responses: Readonly<Record<string, KnownFailure>> = { ...later.responses };
  for (const [name, was] of Object.entries(earlier.responses ?? {})) {
    if (!(name in responses)) replaced.push(`removed response ${name}`);
    else if (!isDeepStrictEqual(responses[name], was)) replaced.push(`replaced response ${name}`);
  }
  return replaced;
}

function rulePlace({
  operation,
  field,
  keyword,
}: {
  operation: string;
  field: string;
  keyword: string;
}): string {
  return [operation, field, keyword].filter(Boolean).join("/");
}

/** How long a line of a profile may be. */
const width = 100;

/** JSON in which a value that fits into a line stands on one, so that a person can read a profile. */
export function formatJson(value: unknown, indent = "", before = 0): string {
  const line = inOneLine(value);
  if (typeof value !== "object" || value === null) return line;
  if (indent !== "" && indent.length + before + line.length < width) return line;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const lines = Object.entries(value).map(([name, one]) => {
    const label = Array.isArray(value) ? "" : `${JSON.stringify(name)}: `;
    return `${inner}${label}${formatJson(one, inner, label.length + 1)}`;
  });
  return lines.length === 0 ? line : `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${inOneLine(one)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

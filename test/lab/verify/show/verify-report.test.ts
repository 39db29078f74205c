import { describe, expect, it } from "vitest";
import type { AssumptionFinding } from "../../../../src/lab/verify/learn/conclude-assumptions.js";
import { facts } from "../../../../src/lab/verify/learn/facts.js";
import type { ObservedRule } from "../../../../src/lab/verify/learn/learn-accepts.js";
import type { UnlikeResponse } from "../../../../src/lab/verify/replay/compare.js";
import {
  type DriftReport,
  driftText,
  interruptedText,
  reportText,
} from "../../../../src/lab/verify/show/verify-report.js";
import type { Report } from "../../../../src/lab/verify/verify-findings.js";
import { learnedProfile, reportWith } from "../reports.js";

/** The lines about a run that has learned something, compared with a file or not. */
function linesOf(parts: Partial<Report>, drift?: DriftReport): string[] {
  const report = reportWith(parts);
  const learned = parts.learned ?? learnedProfile();
  const text = drift === undefined ? reportText(report, learned) : driftText(report, learned, drift);
  return text.split("\n");
}

/** The lines about what was found, which do not depend on what was learned. */
const findingLinesOf = (parts: Partial<Report>) => linesOf(parts).slice(0, -2);

const finding: AssumptionFinding = { id: "old-token", default: "rejected", value: "rejected" };

it("a report begins with what was checked, in numbers", () => {
  expect(findingLinesOf({ requests: 120, groups: 40 })).toEqual([
    "Checked http://service.example (120 requests, 40 groups ugm-abcdef…)",
    "",
  ]);
  expect(linesOf({ requests: 1, groups: 1 })[0]).toContain("(1 request, 1 group ugm-abcdef…)");
});

describe("a report shows", () => {
  it("each fact with its verdict, and what is wrong or why it is not known", () => {
    const lines = linesOf({
      facts: [
        { id: "failure", fact: facts.failure, verdict: "holds" },
        { id: "created", fact: facts.created, verdict: "broken", detail: "success was 2" },
        { id: "mapping", fact: facts.mapping, verdict: "not determinable", why: "no sample" },
      ],
    });
    expect(lines.slice(1, 6)).toEqual([
      "",
      "Documented facts",
      `  holds             ${facts.failure}`,
      `  broken            ${facts.created}: success was 2`,
      `  not determinable  ${facts.mapping}: no sample`,
    ]);
    expect(lines).toContain(
      "1 of 3 facts hold (exit code 1). 0 of 0 assumptions differ from the mock's defaults, 0 could not be determined.",
    );
  });

  it("that a broken fact decides the exit code, unless the service is compared with a file", () => {
    const broken = [{ id: "created", fact: facts.created, verdict: "broken" }] as const;
    const words = (shown: readonly string[]) => shown.find((line) => line.includes("facts hold"));
    expect(words(linesOf({ facts: broken }))).toMatch(/^0 of 1 facts hold \(exit code 1\)\. /);
    expect(words(linesOf({ facts: broken }, { files: ["a.json"], changes: [] }))).toMatch(
      /^0 of 1 facts hold\. /,
    );
  });

  it.each<[string, Partial<AssumptionFinding>, string]>([
    ["as the mock assumes", {}, "rejected  as the mock assumes"],
    ["otherwise", { value: "accepted" }, "accepted  the mock assumes rejected"],
    ["for a field", { field: "name" }, "rejected  as the mock assumes; known for name"],
    [
      "with a remark",
      { value: "accepted", remark: "not all" },
      "accepted  the mock assumes rejected; not all",
    ],
    ["open, with the reason", { value: null, why: "no response" }, "not determinable  no response"],
  ])("each open question: %s", (_, parts, words) => {
    expect(linesOf({ assumptions: [{ ...finding, ...parts }] })).toContain(`  old-token  ${words}`);
  });

  it("how many assumptions differ, and how many are open", () => {
    const summaryOf = (...values: readonly (string | null)[]) => {
      const assumptions = values.map((value) => ({ ...finding, value }));
      const known = [{ id: "failure", fact: facts.failure, verdict: "holds" }] as const;
      return findingLinesOf({ facts: known, assumptions }).at(-1);
    };
    const start = "1 of 1 facts hold.";
    expect(summaryOf("accepted", "rejected", null, null)).toBe(
      `${start} 1 of 4 assumptions differs from the mock's defaults, 2 could not be determined.`,
    );
    expect(summaryOf("accepted", "accepted", null)).toBe(
      `${start} 2 of 3 assumptions differ from the mock's defaults, 1 could not be determined.`,
    );
  });

  it.each<[string, Partial<ObservedRule>, string]>([
    [
      "a list of fields",
      { field: "", keyword: "required", value: ["user_group_id", "name"] },
      "get-or-create  every request needs user_group_id, name",
    ],
    ["a type", { keyword: "type", value: "string" }, "name  string"],
    ["types", { keyword: "type", value: ["string", "null"] }, "name  string or null"],
    ["that it may be empty", { keyword: "minLength", value: 0 }, "name  may be empty"],
    ["that it may not be empty", { keyword: "minLength", value: 1 }, "name  not empty"],
    ["a length", { keyword: "maxLength", value: 80 }, "name  at most 80 characters"],
    [
      "that no text is accepted",
      { keyword: "maxLength", value: 0 },
      "name  at most 0 characters: no longer text was accepted",
    ],
    [
      "a length that may be higher",
      { keyword: "maxLength", value: 80, below: 120 },
      "name  at most 80 characters (may be more, 120 are too long)",
    ],
    ["how short it may be", { keyword: "minLength", value: 2 }, "name  at least 2 characters"],
    ["how many keys it may have", { keyword: "maxProperties", value: 1 }, "name  at most 1 key"],
    [
      "a number of keys that may be higher",
      { keyword: "maxProperties", value: 20, below: 30 },
      "name  at most 20 keys (may be more, 30 are too many)",
    ],
    ["numbers as keys", { keyword: "propertyNames", value: { pattern: "^[0-9]+$" } }, "name  keys: numbers"],
    ["a pattern", { keyword: "pattern", value: "\\S" }, "name  matches \\S"],
    [
      "further fields",
      { field: "", operation: "rotate", keyword: "additionalProperties", value: true },
      "rotate  any further fields",
    ],
    [
      "no further fields",
      { field: "", keyword: "additionalProperties", value: false },
      "get-or-create  no further fields",
    ],
    [
      "values",
      { field: "mapping", keyword: "additionalProperties", value: { type: "string" } },
      "mapping  values: string",
    ],
    [
      "values of several types",
      { field: "mapping", keyword: "additionalProperties", value: { type: ["string", "null"] } },
      "mapping  values: string or null",
    ],
    ["that there is no rule", { keyword: "pattern", value: undefined }, "name  no rule was found"],
  ])("what a body may contain: %s", (_, parts, line) => {
    const rule: ObservedRule = {
      operation: "get-or-create",
      field: "name",
      keyword: "type",
      value: "",
      ...parts,
    };
    expect(linesOf({ rules: [rule] })).toContain(`  ${line}`);
  });

  it("all rules of a field on one line", () => {
    const rule = { operation: "get-or-create", field: "name" } as const;
    const rules = [
      { ...rule, keyword: "type", value: "string" },
      { ...rule, keyword: "pattern", value: undefined },
      { ...rule, keyword: "minLength", value: 1 },
    ];
    expect(linesOf({ rules })).toContain("  name  string; not empty");
  });

  it("each response of the profile, without secrets, and not in full length", () => {
    const profile = {
      $schema: "",
      verified: {},
      accepts: {},
      assume: {},
      responses: {
        created: { status: 201 },
        unauthorized: {
          status: 401,
          headers: { Allow: "GET" },
          body: { success: 0 as const, why: "api-token" },
        },
        invalid_json: { text: `no ${"x ".repeat(200)}` },
      },
    };
    const lines = linesOf({ learned: learnedProfile({ profile }) });
    expect(lines).toContain("  created       201");
    expect(lines).toContain('  unauthorized  401 {"Allow":"GET"} {"success":0,"why":"[secret]"}');
    const last = lines.find((line) => line.startsWith("  invalid_json")) ?? "";
    expect(last).toHaveLength(16 + 201);
    expect(last.endsWith("…")).toBe(true);
  });
});

describe("a report compares the mock with the service", () => {
  const unlike = (
    mockIs: UnlikeResponse["mockIs"],
    request: string,
    inexpressible?: string,
  ): UnlikeResponse => ({
    request,
    service: "422",
    mock: "200",
    mockIs,
    ...(inexpressible !== undefined && { inexpressible }),
  });
  const compared = { same: 1, exact: 2, of: 3, different: [] };

  it("in one line", () => {
    const further = { same: 4, exact: 5, of: 6, different: [] };
    const learned = learnedProfile({ replay: compared, further });
    const numbers =
      "responded as the service to 4 of 6 further requests, and to 1 of 3 from which it was learned (same body: 5 and 2, examples aside).";
    expect(linesOf({ learned }).slice(-2)).toEqual(["", `The mock with this profile ${numbers}`]);
    expect(linesOf({ learned }, { files: ["a.json"], changes: [] }).slice(-4)).toEqual([
      "",
      `A mock with what was learned now ${numbers}`,
      "",
      "Nothing has changed since a.json was written.",
    ]);
  });

  const further = {
    ...compared,
    different: [unlike("strict", "GET a"), unlike("lenient", "GET b", "it is odd")],
  };
  const replay = { ...compared, different: [unlike("different", "GET c"), unlike("lenient", "GET d")] };

  it("with the most dangerous differences first, those of further requests before others", () => {
    const lines = linesOf({ learned: learnedProfile({ replay, further }) });
    expect(lines.slice(2, -2)).toEqual([
      "",
      "The mock accepts what the service rejects, so tests could pass and production fail:",
      "  GET b",
      "    service: 422",
      "    mock:    200",
      "    No profile can express this: it is odd.",
      "  GET d",
      "    service: 422",
      "    mock:    200",
      "",
      "The mock rejects what the service accepts:",
      "  GET a",
      "    service: 422",
      "    mock:    200",
      "",
      "The mock responds in another way:",
      "  GET c",
      "    service: 422",
      "    mock:    200",
    ]);
  });

  it("and names the fields that always show the same example, unless it is compared with a file", () => {
    const learned = learnedProfile({ fixedExamples: ["/user_group/links/self", "/user_group/plan"] });
    expect(linesOf({ learned }).at(-3)).toBe(
      "The mock always shows the same example in user_group.links.self, user_group.plan: the service does not.",
    );
    const compared = linesOf({ learned }, { files: ["a.json"], changes: [] });
    expect(compared.join()).not.toContain("the same example");
    const secret = learnedProfile({ fixedExamples: ["/user_group/api-token/n"] });
    expect(linesOf({ learned: secret }).at(-3)).toContain("in user_group.[secret].n: the service");
  });

  it("and names the questions without a response, also where nothing has changed", () => {
    const unanswered = ["old-token", "name: long"];
    const line = "No usable response to 2 questions (exit code 2): old-token; name: long.";
    expect(linesOf({ unanswered })).toContain(line);
    const drift = { files: ["a.json"], changes: [] };
    expect(linesOf({ unanswered }, drift)).toContain(line);
    expect(linesOf({ unanswered }, drift).at(-1)).toBe(
      "Nothing has changed since a.json was written, as far as the service responded.",
    );
    const changes = [{ id: "created", change: "status 200 → 201" }];
    const many = Array.from({ length: 6 }, (_, n) => `q${n}`);
    expect(linesOf({ unanswered: many }, { ...drift, changes })).toContain(
      "No usable response to 6 questions: q0; q1; q2; q3; q4; and others.",
    );
    const facts = [{ id: "failure", fact: "a fact", verdict: "broken" }] as const;
    expect(linesOf({ unanswered: ["a"], facts })).toContain("No usable response to 1 question: a.");
  });

  it("without differences if it is compared with a file", () => {
    const lines = linesOf(
      { learned: learnedProfile({ replay, further }) },
      { files: ["a.json", "b.json"], changes: [{ id: "created", change: "status 200 → 201" }] },
    );
    expect(lines.join()).not.toContain("GET");
    expect(lines.slice(-3)).toEqual([
      "",
      "Changed since a.json and b.json were written:",
      "  created: status 200 → 201",
    ]);
  });
});

it("an interrupted run says that nothing was written, and how its groups can be found", () => {
  const facts = [{ id: "created", fact: "a fact", verdict: "broken" }] as const;
  const report = reportWith({ requests: 7, assumptions: [finding], facts });
  const lines = interruptedText(report).split("\n");
  // A broken fact does not decide the exit code then.
  const known = linesOf({ requests: 7, assumptions: [finding], facts }).slice(0, -2);
  expect(lines.slice(0, -1)).toEqual(known.map((line) => line.replace(" (exit code 1)", "")));
  expect(lines.at(-1)).toBe(
    "Interrupted after 7 requests. Nothing was written. The names and ids of its groups begin with ugm-abcdef.",
  );
});

import { expect, it } from "vitest";
import { findDrift } from "../../../src/lab/verify/drift.js";
import { facts } from "../../../src/lab/verify/facts.js";
import { ServiceClient } from "../../../src/lab/verify/service-client.js";
import type { LearnedProfile, Report } from "../../../src/lab/verify/verify-service.js";

const service = new ServiceClient({ baseUrl: "http://127.0.0.1:1", apiToken: "t" });
const compared = { same: 0, exact: 0, of: 0, different: [], requests: [] };
const learned: LearnedProfile = {
  service,
  entries: [],
  further: compared,
  replay: compared,
  profile: { $schema: "", verified: {}, accepts: {}, assume: {}, responses: {} },
  responses: { responses: new Map(), observed: new Set(), examplePaths: new Set(), fixedExamples: [] },
};
const report = { against: "", prefix: "", requests: 0, groups: 0, facts: [], assumptions: [] };

it.each([
  [79, ["maxLength 79 → 80"]],
  [80, []],
  [119, []],
  [120, ["maxLength 120 → 80"]],
])("a limit of %d has changed if 80 was accepted and 120 rejected: %j", async (maxLength, changes) => {
  const expected = { accepts: { "get-or-create": { properties: { name: { maxLength } } } } };
  const bounds = { field: "name", keyword: "maxLength", value: 80, below: 120 };
  const rules: Report["rules"] = [{ operation: "get-or-create", ...bounds }];
  const drift = await findDrift(expected, { ...report, rules, learned, isAnswered: true }, learned);
  expect(drift.map(({ change }) => change)).toEqual(changes);
});

it.each([
  ["broken", [], ["failure: holds → broken (success was false)"]],
  ["broken", ["failure"], []],
  ["holds", ["failure"], ["failure: broken → holds"]],
  ["holds", [], []],
  ["not determinable", ["failure"], []],
] as const)(
  "a fact that is %s today, and was broken in %j, has changed: %j",
  async (verdict, broken, changes) => {
    const fact = { id: "failure", fact: facts.failure, verdict, detail: "success was false" } as const;
    const today = { ...report, facts: [fact], rules: [], learned, isAnswered: true };
    const drift = await findDrift({ verified: { broken: [...broken] } }, today, learned);
    expect(drift.map(({ id, change }) => `${id}: ${change}`)).toEqual(changes);
  },
);

import { beforeAll, describe, expect, it } from "vitest";
import type { adminCalls } from "../../../src/fake/contract/admin-calls.js";
import { type InputSchema, loadInputSchemas, type Schemas } from "../../../src/fake/contract/schemas.js";
import { oneOfTheOperations } from "../../unused-methods.js";

type Calls = typeof adminCalls;

/** The schemas of what tests and tools send to a mock. */
type AdminSchema = Exclude<
  {
    [Id in keyof Calls]: Calls[Id] extends { query: infer File }
      ? File
      : Calls[Id] extends { request: infer File }
        ? File
        : never;
  }[keyof Calls],
  // The tables have its problems: see assumption-problems.test.ts.
  "assumptions.request.json"
>;

type Row = readonly [json: string, path: string, problem: string];

const group = (wrong: object) =>
  JSON.stringify({ user_groups: [{ team_id: 3, provided_id: "a", name: "A", ...wrong }] });

/** Wrong values, and what is said of them. A schema without a row does not compile. */
const wrong: Readonly<Record<AdminSchema, readonly Row[]>> = {
  "reset.request.json": [
    ['{ "label": "" }', "/label", "must not be empty"],
    ['{ "lable": "x" }', "/lable", "did you mean label?"],
  ],
  "describe.request.json": [['{ "eror": "x" }', "/eror", "did you mean error?"]],
  "requests.query.json": [
    ['{ "operatoin": "rotate" }', "/operatoin", "did you mean operation?"],
    ['{ "outcome": "lost" }', "/outcome", 'must be "success" or'],
    ['{ "after": -1 }', "/after", "must be at least 0"],
    ['{ "after": 1.5 }', "/after", "must be integer"],
    ['{ "limit": 0 }', "/limit", "must be at least 1"],
    ['{ "epoch": "x" }', "/epoch", "must be integer"],
  ],
  "wait.request.json": [
    ['{ "count": 0 }', "/count", "must be at least 1"],
    ['{ "timeoutMs": 600001 }', "/timeoutMs", "must be a number from 1 to 600000"],
    ['{ "timeout": 5 }', "/timeout", "did you mean timeoutMs?"],
    ['{ "outcome": "pending" }', "/outcome", 'must be "success" or "failure" or "fault"'],
  ],
  "request-body.query.json": [['{ "epoch": 0 }', "/epoch", "must be at least 1"]],
  "report.query.json": [['{ "worlds": "some" }', "/worlds", 'must be "all"']],
  "fault.request.json": [
    ["null", "", "must be object"],
    ['{ "delay": 5 }', "/delay", "did you mean delayMs?"],
    ['{ "delayMs": -1 }', "/delayMs", "must be a number from 1 to 600000"],
    ['{ "status": 199 }', "/status", "must be a number from 200 to 599"],
    ['{ "status": 204, "body": {} }', "/status", "must have a body, so it cannot be 204, 205 or 304"],
    ['{ "reset": false }', "/reset", "must be true"],
    ['{ "reset": true, "headers": {} }', "/status", "is required with headers"],
    ['{ "reset": true, "text": "x" }', "/status", "is required with text"],
    ['{ "empty": true, "body": {} }', "/status", "is required with body"],
    ['{ "status": 503, "text": "\\ud800" }', "/text", "unpaired surrogate"],
    ['{ "status": 503, "times": 0 }', "/times", 'must be a number of at least 1, or "always"'],
    ['{ "status": 503, "operation": "unknown" }', "/operation", oneOfTheOperations],
    ['{ "status": 503, "match": { "user_group": "a" } }', "/match/user_group", "mean user_group_id?"],
    ['{ "status": 503, "match": { "toString": "t" } }', "/match/toString", "; expected one of user_group_id"],
    ['{ "status": 503, "match": { "name": 5 } }', "/match/name", "must be string"],
  ],
  "group.request.json": [
    ['{ "provided_id": "x" }', "/name", "is required"],
    ['{ "provided_id": "x", "name": "x", "nam": "x" }', "/nam", "did you mean name?"],
    ['{ "provided_id": "a\\u0000", "name": "x" }', "/provided_id", "without NUL"],
  ],
  "fixture.json": [
    ["[]", "", "must be object"],
    ['{ "teems": [] }', "/teems", "did you mean teams?"],
    [
      '{ "teams": [{ "team_id": 1, "api_tokens": ["a b"] }] }',
      "/teams/0/api_tokens/0",
      "must be one or more printable",
    ],
    [group({ name: 5 }), "/user_groups/0/name", "must be string"],
    [group({ mapping: { "40": 213 } }), "/user_groups/0/mapping/40", "must be string"],
    [group({ token: "" }), "/user_groups/0/token", "must not be empty"],
    [group({ provided_id: "a\0" }), "/user_groups/0/provided_id", "must be Unicode"],
    [group({ provided_id: "\ud83d" }), "/user_groups/0/provided_id", "must be Unicode"],
  ],
};

const rows = Object.entries(wrong).flatMap(([schema, all]) =>
  all.map(([json, path, problem]) => [schema as AdminSchema, json, path, problem] as const),
);

// test/fake/server/admin-bad-input.test.ts shows that every admin call checks its input.
describe("wrong input", () => {
  let schemas: Schemas<InputSchema>;
  beforeAll(async () => {
    schemas = await loadInputSchemas();
  });

  it.each(rows)("%s rejects %s", (schema, json, path, problem) => {
    const found = schemas.shippedProblems(schema, JSON.parse(json));
    expect(found.map(({ path, message }) => [path, message])).toEqual([
      [path, expect.stringContaining(problem)],
    ]);
  });
});

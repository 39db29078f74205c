import { describe, expect, it } from "vitest";
import { facts } from "../../../src/lab/verify/facts.js";
import { verifyService } from "../../../src/lab/verify/verify-service.js";
import { type Deviation, type PlainResponse, type PlainServer, plainService } from "./plain-service.js";

/** The facts in the order of their checks, by the short names that the cases below use. */
const names = {
  "get-or-create": "get-or-create returns success 1, new_user_group and user_group, and nothing else",
  rotate: "rotate returns success 1 and user_group, and nothing else",
  mapping: "get-or-create accepts mapping and properties",
  flag: "new_user_group is true if the request created the group, and false if it existed",
  shape: "user_group has team_id, token, name and provided_id, and no other field",
  sent: "provided_id is the user_group_id that was sent, and name the name",
  "kept token": "looking up a group keeps its token",
  "rotated group": "rotate returns the group whose token was sent, in the same shape",
  "rotated token": "the token that rotate returns is the token of the group from then on",
  failure: "a failed request returns success 0",
  authorization: "every operation requires the Authorization header",
} as const;
type Name = keyof typeof names;

const verify = ({ url }: PlainServer, secondApiToken?: string) =>
  verifyService({ baseUrl: url, apiToken: "secret", ...(secondApiToken && { secondApiToken }) });

async function brokenBy(deviation?: Deviation): Promise<Record<string, string | undefined>> {
  await using server = await plainService(deviation);
  const report = await verify(server);
  expect(report.facts.map(({ fact }) => fact)).toEqual(Object.keys(facts));
  const broken = report.facts.filter(({ verdict }) => verdict === "broken");
  return Object.fromEntries(broken.map(({ fact, detail }) => [fact, detail]));
}

const succeeds = ({ body }: PlainResponse) => body.success === 1;
/** Changes the fields of every successful response of one operation. */
const inResponse =
  (
    operation: "get-or-create" | "rotate" | "both",
    change: (body: PlainResponse["body"]) => object,
  ): Deviation =>
  (correct, request) =>
    succeeds(correct) && (operation === "both" || request.operation === operation)
      ? { ...correct, body: { ...change(correct.body) } }
      : correct;
/** Changes user_group in every successful response of one operation. */
const inGroup = (
  operation: "get-or-create" | "rotate" | "both",
  change: (group: Record<string, unknown>) => object,
): Deviation =>
  inResponse(operation, (body) => ({
    ...body,
    user_group: change(body.user_group as Record<string, unknown>),
  }));
const without = (field: string) => (object: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));

type DeviationWithFacts = readonly [
  title: string,
  deviation: Deviation,
  broken: Partial<Record<Name, RegExp | string>>,
];

/** Each deviation, with all facts that it breaks and their details. */
const deviations: readonly DeviationWithFacts[] = [
  [
    "returns success as text",
    inResponse("both", (body) => ({ ...body, success: "1" })),
    { "get-or-create": 'success was "1", with status 200', rotate: 'success was "1", with status 200' },
  ],
  [
    "omits success in rotate",
    inResponse("rotate", without("success")),
    { rotate: "success was missing, with status 200" },
  ],
  [
    "omits new_user_group",
    inResponse("get-or-create", without("new_user_group")),
    { "get-or-create": "new_user_group was missing", flag: "it was missing, then missing" },
  ],
  [
    "always returns new_user_group true",
    inResponse("get-or-create", (body) => ({ ...body, new_user_group: true })),
    { flag: "it was true, then true" },
  ],
  [
    "changes the token at every look-up",
    (correct, { operation, group, newToken }) => {
      if (!succeeds(correct) || operation === "rotate" || group === undefined) return correct;
      group.token = newToken();
      return { ...correct, body: { ...correct.body, user_group: { ...group } } };
    },
    {
      "kept token": "the second request returned a different token",
      "rotated token": "looking up the group returned a different token",
    },
  ],
  [
    "adds a field to user_group",
    inGroup("both", (group) => ({ ...group, mapping: {} })),
    { shape: "unexpected field: mapping", "rotated group": "unexpected field: mapping" },
  ],
  [
    "adds a field to the user_group of rotate only",
    inGroup("rotate", (group) => ({ ...group, rotated_at: 1 })),
    { "rotated group": "unexpected field: rotated_at" },
  ],
  [
    "adds a field beside user_group",
    inResponse("get-or-create", (body) => ({ ...body, warnings: [] })),
    { "get-or-create": "unexpected field: warnings" },
  ],
  [
    "adds new_user_group to rotate",
    inResponse("rotate", (body) => ({ ...body, new_user_group: false })),
    { rotate: "unexpected field: new_user_group" },
  ],
  [
    "omits user_group",
    inResponse("get-or-create", without("user_group")),
    {
      "get-or-create": "user_group was missing",
      shape: "team_id was missing",
      sent: /^provided_id was missing for "usergroup-mock-verify-/,
      "kept token": /missing/,
      "rotated token": /missing/,
      rotate: "success was 0, with status 400",
      "rotated group": "team_id was missing",
    },
  ],
  [
    "returns team_id as text",
    inGroup("both", (group) => ({ ...group, team_id: "1" })),
    { shape: 'team_id was "1"', "rotated group": 'team_id was "1"' },
  ],
  [
    "returns the token as a number",
    inGroup("both", (group) => ({ ...group, token: Number(group.token) })),
    { shape: /^token was \d+$/, "rotated group": /^token was \d+$/ },
  ],
  [
    "returns another provided_id",
    inGroup("both", (group) => ({ ...group, provided_id: `own-${group.provided_id}` })),
    { sent: /^provided_id was "own-usergroup-mock-verify-\w+-\d+" for "usergroup-mock-verify-\w+-\d+"$/ },
  ],
  [
    "returns another name",
    inGroup("both", (group) => ({ ...group, name: String(group.name).toUpperCase() })),
    { sent: 'name was "VERIFY" for "Verify"' },
  ],
  [
    "returns another group from rotate",
    inGroup("rotate", (group) => ({ ...group, provided_id: "another" })),
    { "rotated group": /^provided_id was "usergroup-mock-verify-\w+-\d+", then "another"$/ },
  ],
  [
    "returns null as user_group from rotate",
    inResponse("rotate", (body) => ({ ...body, user_group: null })),
    {
      rotate: "user_group was null",
      "rotated group": "team_id was 1, then missing",
      "rotated token": "looking up the group returned a different token",
    },
  ],
  [
    "returns a token from rotate that the group does not have",
    inGroup("rotate", (group) => ({ ...group, token: `never-${group.token}` })),
    { "rotated token": "looking up the group returned a different token" },
  ],
  [
    "rejects every rotation",
    (correct, { operation }) => (operation === "rotate" ? { status: 409, body: { success: 0 } } : correct),
    {
      rotate: "success was 0, with status 409",
      "rotated group": "team_id was 1, then missing",
      "rotated token": "looking up the group returned a different token",
    },
  ],
  [
    "returns success false in a failure",
    (correct) => (succeeds(correct) ? correct : { status: 404, body: { success: false } }),
    { failure: "success was false, with status 404" },
  ],
  [
    "creates groups without a valid API token",
    (correct, { team, operation, body, newToken }) => {
      if (team !== undefined || operation === "rotate") return correct;
      const made = { team_id: 1, token: newToken(), name: body.name, provided_id: body.user_group_id };
      return { status: 200, body: { success: 1, new_user_group: true, user_group: made } };
    },
    { authorization: "get-or-create succeeded without it" },
  ],
  [
    "rotates without a valid API token",
    (correct, { team, operation, group }) =>
      team !== undefined || operation === "get-or-create" || group === undefined
        ? correct
        : { status: 200, body: { success: 1, user_group: group } },
    { authorization: "rotate succeeded without it" },
  ],
  [
    "rejects a mapping",
    (correct, { body }) => ("mapping" in body ? { status: 422, body: { success: 0 } } : correct),
    { mapping: "it failed with 422" },
  ],
];

describe("verify", () => {
  it("finds no broken fact in a correct service", async () => {
    expect(await brokenBy()).toEqual({});
  });

  it.each(deviations)("reports the broken facts of a service that %s", async (_, deviation, broken) => {
    const expected = Object.entries(broken).map(([name, detail]) => [
      names[name as Name],
      detail instanceof RegExp ? expect.stringMatching(detail) : detail,
    ]);
    expect(await brokenBy(deviation)).toEqual(Object.fromEntries(expected));
  });

  it("has a test case that breaks each fact", () => {
    expect(Object.keys(facts)).toEqual(Object.values(names));
    const met = new Set(deviations.flatMap(([, , broken]) => Object.keys(broken)));
    expect(met).toEqual(new Set(Object.keys(names)));
  });
});

describe("a question of verify", () => {
  const find = async (deviation: Deviation) => {
    await using server = await plainService(deviation);
    const { assumptions } = await verify(server, "secret-of-another-team");
    return Object.fromEntries(assumptions.map((finding) => [finding.id, finding] as const));
  };

  it("is decided by a correct service", async () => {
    const found = await find((correct) => correct);
    expect(Object.values(found).flatMap(({ id, value }) => (value === null ? [id] : []))).toEqual([]);
  });

  it("is not determinable if the service has a value that the mock does not know", async () => {
    const found = await find((correct) => {
      if (!succeeds(correct)) return { status: 422, body: { success: 0, reason: "no" } };
      return correct.body.new_user_group === true ? { ...correct, status: 202 } : correct;
    });
    const open = Object.values(found).filter(({ value }) => value === null);
    expect(open.map(({ id, why }) => [id, why])).toEqual([
      ["created-status", "the status was 202, not 200 or 201"],
      ["failure-body", "the body has reason, but no error or message"],
    ]);
  });

  it.each([
    ["rotated-token", "omits user_group in rotate", inResponse("rotate", without("user_group"))],
    ["rotated-token", "omits the token in rotate", inGroup("rotate", without("token"))],
    ["group-scope", "omits new_user_group", inResponse("get-or-create", without("new_user_group"))],
  ] as const)("is not guessed: %s of a service that %s", async (id, _, deviation) => {
    const { value, why } = (await find(deviation))[id] ?? {};
    expect(value).toBeNull();
    expect(why).toBeTruthy();
  });

  it("about unknown fields is decided by a service that always requires a name", async () => {
    const found = await find((correct, { operation, body }) =>
      operation === "get-or-create" && body.name === undefined
        ? { status: 400, body: { success: 0 } }
        : correct,
    );
    expect(found["unknown-fields"]?.value).toBe("ignored");
  });
});

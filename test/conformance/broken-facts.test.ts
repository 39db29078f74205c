import { describe, expect, it } from "vitest";
import { facts } from "../../src/conformance/facts.js";
import { verifyService } from "../../src/conformance/verify-service.js";
import { type Lie, type PlainAnswer, type PlainServer, plainService } from "./plain-service.js";

/** The facts in the order of their checks, by the words that the cases below call them by. */
const names = {
  "get-or-create": "get-or-create answers success 1, new_user_group and user_group, and nothing else",
  rotate: "rotate answers success 1 and user_group, and nothing else",
  mapping: "get-or-create takes mapping and properties",
  flag: "new_user_group is true when the call created the group, and false when it existed",
  shape: "user_group has an integer team_id and the texts token, name, provided_id, and no other field",
  sent: "provided_id is the user_group_id that was sent, and name the name",
  "kept token": "looking a group up keeps its token",
  "rotated group": "rotate answers the group whose token was sent, in the same shape",
  "rotated token": "the token that rotate answers is the token of the group from then on",
  failure: "a failed call carries success 0",
  authorization: "every operation needs the Authorization header",
} as const;
type Name = keyof typeof names;

const verify = ({ url }: PlainServer, secondApiToken?: string) =>
  verifyService({ baseUrl: url, apiToken: "secret", ...(secondApiToken && { secondApiToken }) });

async function brokenBy(lie?: Lie): Promise<Record<string, string | undefined>> {
  await using server = await plainService(lie);
  const report = await verify(server);
  expect(report.facts.map(({ fact }) => fact)).toEqual(facts.map(({ fact }) => fact));
  const broken = report.facts.filter(({ verdict }) => verdict === "broken");
  return Object.fromEntries(broken.map(({ fact, detail }) => [fact, detail]));
}

const succeeds = ({ body }: PlainAnswer) => body.success === 1;
/** Changes the fields of every successful answer of one operation. */
const inAnswer =
  (operation: "get-or-create" | "rotate" | "both", change: (body: PlainAnswer["body"]) => object): Lie =>
  (honest, question) =>
    succeeds(honest) && (operation === "both" || question.operation === operation)
      ? { ...honest, body: { ...change(honest.body) } }
      : honest;
/** The same within user_group. */
const inGroup = (
  operation: "get-or-create" | "rotate" | "both",
  change: (group: Record<string, unknown>) => object,
): Lie =>
  inAnswer(operation, (body) => ({
    ...body,
    user_group: change(body.user_group as Record<string, unknown>),
  }));
const without = (field: string) => (object: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));

let rising = 0;

type LieWithFacts = readonly [does: string, lie: Lie, broken: Partial<Record<Name, RegExp | string>>];

/** Each lie, with all that it breaks and how that is said. */
const lies: readonly LieWithFacts[] = [
  [
    "says success as text",
    inAnswer("both", (body) => ({ ...body, success: "1" })),
    { "get-or-create": 'success was "1", with status 200', rotate: 'success was "1", with status 200' },
  ],
  [
    "says success as true",
    inAnswer("both", (body) => ({ ...body, success: true })),
    { "get-or-create": "success was true, with status 200", rotate: "success was true, with status 200" },
  ],
  [
    "says success as true in rotate alone",
    inAnswer("rotate", (body) => ({ ...body, success: true })),
    { rotate: "success was true, with status 200" },
  ],
  [
    "leaves out success in rotate",
    inAnswer("rotate", without("success")),
    { rotate: "success was missing, with status 200" },
  ],
  [
    "leaves out new_user_group",
    inAnswer("get-or-create", without("new_user_group")),
    { "get-or-create": "new_user_group was missing", flag: "it was missing, then missing" },
  ],
  [
    "says new_user_group as a number",
    inAnswer("get-or-create", (body) => ({ ...body, new_user_group: Number(body.new_user_group) })),
    { "get-or-create": "new_user_group was 1", flag: "it was 1, then 0" },
  ],
  [
    "calls every group new",
    inAnswer("get-or-create", (body) => ({ ...body, new_user_group: true })),
    { flag: "it was true, then true" },
  ],
  [
    "calls no group new",
    inAnswer("get-or-create", (body) => ({ ...body, new_user_group: false })),
    { flag: "it was false, then false" },
  ],
  [
    "gives another token at every look-up",
    (honest, { operation, group, newToken }) => {
      if (!succeeds(honest) || operation === "rotate" || group === undefined) return honest;
      group.token = newToken();
      return { ...honest, body: { ...honest.body, user_group: { ...group } } };
    },
    {
      "kept token": "the second call returned another token",
      "rotated token": "looking the group up returned another token",
    },
  ],
  [
    "has a fifth field in user_group",
    inGroup("both", (group) => ({ ...group, mapping: {} })),
    { shape: "unexpected field: mapping", "rotated group": "unexpected field: mapping" },
  ],
  [
    "has a fifth field in the user_group of rotate alone",
    inGroup("rotate", (group) => ({ ...group, rotated_at: 1 })),
    { "rotated group": "unexpected field: rotated_at" },
  ],
  [
    "has a further field beside user_group",
    inAnswer("get-or-create", (body) => ({ ...body, warnings: [] })),
    { "get-or-create": "unexpected field: warnings" },
  ],
  [
    "has new_user_group in rotate",
    inAnswer("rotate", (body) => ({ ...body, new_user_group: false })),
    { rotate: "unexpected field: new_user_group" },
  ],
  [
    "has no user_group",
    inAnswer("get-or-create", without("user_group")),
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
    "says team_id as text",
    inGroup("both", (group) => ({ ...group, team_id: "1" })),
    { shape: 'team_id was "1"', "rotated group": 'team_id was "1"' },
  ],
  [
    "has half a team",
    inGroup("both", (group) => ({ ...group, team_id: 1.5 })),
    { shape: "team_id was 1.5", "rotated group": "team_id was 1.5" },
  ],
  [
    "says the token as a number",
    inGroup("both", (group) => ({ ...group, token: Number(group.token) })),
    { shape: /^token was \d+$/, "rotated group": /^token was \d+$/ },
  ],
  [
    "leaves out the token in get-or-create",
    inGroup("get-or-create", without("token")),
    {
      shape: "token was missing",
      "kept token": /missing/,
      rotate: "success was 0, with status 400",
      "rotated group": "team_id was 1, then missing",
      "rotated token": /missing/,
    },
  ],
  [
    "gives an id of its own",
    inGroup("both", (group) => ({ ...group, provided_id: `own-${group.provided_id}` })),
    { sent: /^provided_id was "own-usergroup-mock-verify-\w+-\d+" for "usergroup-mock-verify-\w+-\d+"$/ },
  ],
  [
    "changes the name",
    inGroup("both", (group) => ({ ...group, name: String(group.name).toUpperCase() })),
    { sent: 'name was "VERIFY" for "Verify"' },
  ],
  [
    "leaves out the name",
    inGroup("both", without("name")),
    {
      shape: "name was missing",
      sent: 'name was missing for "Verify"',
      "rotated group": "name was missing",
    },
  ],
  [
    "answers a rotation with another group",
    inGroup("rotate", (group) => ({ ...group, provided_id: "another" })),
    { "rotated group": /^provided_id was "usergroup-mock-verify-\w+-\d+", then "another"$/ },
  ],
  [
    "answers a rotation with the group of another team",
    inGroup("rotate", (group) => ({ ...group, team_id: 2 })),
    { "rotated group": "team_id was 1, then 2" },
  ],
  [
    "answers a rotation without user_group",
    inAnswer("rotate", without("user_group")),
    {
      rotate: "user_group was missing",
      "rotated group": "team_id was 1, then missing",
      "rotated token": "looking the group up returned another token",
    },
  ],
  [
    "answers a rotation with null as user_group",
    inAnswer("rotate", (body) => ({ ...body, user_group: null })),
    {
      rotate: "user_group was null",
      "rotated group": "team_id was 1, then missing",
      "rotated token": "looking the group up returned another token",
    },
  ],
  [
    "answers a rotation with a token that the group does not have",
    inGroup("rotate", (group) => ({ ...group, token: `never-${group.token}` })),
    { "rotated token": "looking the group up returned another token" },
  ],
  [
    "cannot rotate",
    (honest, { operation }) => (operation === "rotate" ? { status: 409, body: { success: 0 } } : honest),
    {
      rotate: "success was 0, with status 409",
      "rotated group": "team_id was 1, then missing",
      "rotated token": "looking the group up returned another token",
    },
  ],
  [
    "fails without success",
    (honest) => (succeeds(honest) ? honest : { status: 404, body: { error: "unknown token" } }),
    { failure: "success was missing, with status 404" },
  ],
  [
    "fails with success false",
    (honest) => (succeeds(honest) ? honest : { status: 404, body: { success: false } }),
    { failure: "success was false, with status 404" },
  ],
  [
    "fails with success as text",
    (honest) => (succeeds(honest) ? honest : { status: 200, body: { success: "0" } }),
    { failure: 'success was "0", with status 200' },
  ],
  [
    "creates groups for anybody",
    (honest, { team, operation, body, newToken }) => {
      if (team !== undefined || operation === "rotate") return honest;
      const made = { team_id: 1, token: newToken(), name: body.name, provided_id: body.user_group_id };
      return { status: 200, body: { success: 1, new_user_group: true, user_group: made } };
    },
    { authorization: "get-or-create succeeded without it" },
  ],
  [
    "rotates for anybody",
    (honest, { team, operation, group }) =>
      team !== undefined || operation === "get-or-create" || group === undefined
        ? honest
        : { status: 200, body: { success: 1, user_group: group } },
    { authorization: "rotate succeeded without it" },
  ],
  [
    "refuses a mapping",
    (honest, { body }) => ("mapping" in body ? { status: 422, body: { success: 0 } } : honest),
    { mapping: "it failed with 422" },
  ],
  [
    "refuses properties",
    (honest, { body }) => ("properties" in body ? { status: 200, body: { success: 0 } } : honest),
    { mapping: "it failed with 200" },
  ],
  [
    "counts tokens up without a look at the group",
    inGroup("both", (group) => ({ ...group, token: `${++rising}` })),
    {
      "kept token": "the second call returned another token",
      rotate: "success was 0, with status 400",
      "rotated group": "team_id was 1, then missing",
      "rotated token": "looking the group up returned another token",
    },
  ],
];

describe("a service", () => {
  it("that is honest breaks no fact", async () => {
    expect(await brokenBy()).toEqual({});
  });

  it.each(lies)("that %s breaks these facts, with the reason", async (_, lie, broken) => {
    const expected = Object.entries(broken).map(([name, detail]) => [
      names[name as Name],
      detail instanceof RegExp ? expect.stringMatching(detail) : detail,
    ]);
    expect(await brokenBy(lie)).toEqual(Object.fromEntries(expected));
  });

  it("every fact has at least one lie that breaks it", () => {
    expect(facts.map(({ fact }) => fact)).toEqual(Object.values(names));
    const met = new Set(lies.flatMap(([, , broken]) => Object.keys(broken)));
    expect(met).toEqual(new Set(Object.keys(names)));
  });
});

describe("an open question", () => {
  const ask = async (lie: Lie) => {
    await using server = await plainService(lie);
    const { assumptions } = await verify(server, "secret-of-another-team");
    return Object.fromEntries(assumptions.map((finding) => [finding.id, finding] as const));
  };

  it("is settled by a service that is honest", async () => {
    const found = await ask((honest) => honest);
    expect(Object.values(found).flatMap(({ id, value }) => (value === null ? [id] : []))).toEqual([]);
  });

  it("has answers that are none of ours, and is then left open", async () => {
    const found = await ask((honest) => {
      if (!succeeds(honest)) return { status: 422, body: { success: 0, reason: "no" } };
      return honest.body.new_user_group === true ? { ...honest, status: 202 } : honest;
    });
    const open = Object.values(found).filter(({ value }) => value === null);
    expect(open.map(({ id, why }) => [id, why])).toEqual([
      ["created-status", "the status was 202, which is neither 200 nor 201"],
      ["failure-body", "the body has reason, which matches none of the values"],
    ]);
  });

  it.each([
    ["rotated-token", "answers a rotation without user_group", inAnswer("rotate", without("user_group"))],
    ["rotated-token", "answers a rotation without a token", inGroup("rotate", without("token"))],
    ["group-scope", "leaves out new_user_group", inAnswer("get-or-create", without("new_user_group"))],
  ] as const)("is not guessed at: %s of a service that %s", async (id, _, lie) => {
    const { value, why } = (await ask(lie))[id] ?? {};
    expect(value).toBeNull();
    expect(why).toBeTruthy();
  });

  it("about unknown fields is not taken for one about the name, where a name is always wanted", async () => {
    const found = await ask((honest, { operation, body }) =>
      operation === "get-or-create" && body.name === undefined
        ? { status: 400, body: { success: 0 } }
        : honest,
    );
    expect(found["unknown-fields"]?.value).toBe("ignored");
  });
});

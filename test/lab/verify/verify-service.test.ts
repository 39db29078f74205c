import { text as readText } from "node:stream/consumers";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type AssumptionId,
  type AssumptionValues,
  assumptionIds,
  defaultAssumptions,
} from "../../../src/fake/contract/assumptions.js";
import { operationIds, operations } from "../../../src/fake/contract/operations.js";
import { resolveResponses } from "../../../src/fake/contract/profile.js";
import { responseNames, successes } from "../../../src/fake/contract/response-names.js";
import { exchange } from "../../../src/foundation/exchange.js";
import type { JsonObject } from "../../../src/foundation/json.js";
import type { Fixture, Profile } from "../../../src/generated/types.js";
import { startMock, type World } from "../../../src/index.js";
import type { Target } from "../../../src/lab/verify/service/service-client.js";
import { unusedMethod } from "../../../src/lab/verify/service/unused-method.js";
import type { Report } from "../../../src/lab/verify/verify-findings.js";
import { draws } from "../../long.js";
import { mixtures } from "../../mixtures.js";
import { frameworkService, type Style } from "./framework-service.js";
import { askQuestions, verifyWhole, type WholeReport } from "./known-service.js";
import { plainServer } from "./plain-server.js";

/** The values of a mixture that verify can find: null if no request can show the value. */
function visible(mixture: AssumptionValues, hidden: readonly AssumptionId[] = []) {
  const without = { ...mixture, ...Object.fromEntries(hidden.map((id) => [id, null])) };
  // The mock does not show properties.
  const shown =
    mixture["existing-group"] === "merged" ? { ...without, "existing-group": "updated" } : without;
  // A token that is never replaced never becomes an old one.
  return mixture["rotated-token"] === "same" ? { ...shown, "old-token": null } : shown;
}

const valuesIn = ({ assumptions }: Pick<Report, "assumptions">) =>
  Object.fromEntries(assumptions.map(({ id, value }) => [id, value]));

const namesIn = ({ entries }: WholeReport) => entries.map(({ name }) => name);

const twoTokens = { apiToken: "test-api-token", secondApiToken: "other-api-token" };

/** Verifies `world`, and checks that this did not change the groups of others. */
async function verify<Found extends Report>(
  world: World,
  tokens: { apiToken: string; secondApiToken?: string },
  run: (target: Target) => Promise<Found>,
): Promise<Found> {
  const before = await world.state();
  const report = await run({ baseUrl: world.url, ...tokens });
  expectOnlyOwnGroups(before, await world.state(), report.prefix);
  return report;
}

function expectOnlyOwnGroups(before: Fixture, after: Fixture, prefix: string): void {
  const known = before.user_groups ?? [];
  const isKnown = (group: object) => known.some((one) => JSON.stringify(one) === JSON.stringify(group));
  const made = (after.user_groups ?? []).filter((group) => !isKnown(group));
  expect(made.length).toBe((after.user_groups ?? []).length - known.length);
  const isOwn = new RegExp(`^(${prefix}-.+|\\d{15})$`, "i");
  expect(made.filter(({ provided_id }) => !isOwn.test(provided_id))).toEqual([]);
  expect(made.length).toBeLessThanOrEqual(50);
}

const text = fc.constantFrom("Nope", "{method} is wrong", "Ü", "a b c");
const failure = fc.oneof(
  fc.record({
    status: fc.constantFrom(400, 404, 409, 410, 422, 451),
    body: fc.oneof(
      fc.record({ success: fc.constant(0), why: text }),
      fc.record({ success: fc.constant(0), errors: fc.array(text) }),
    ),
  }),
  fc.record({
    status: fc.constantFrom(401, 403, 404, 418),
    headers: fc.constantFrom(
      { "Content-Type": "text/html" },
      { "Content-Type": "text/plain; charset=utf-8" },
    ),
    text: fc.constantFrom("<h1>No</h1>", "no", "Cannot {method} {path}"),
  }),
);
const success = fc.record({
  status: fc.constantFrom(200, 201, 202),
  body: fc.constantFrom(
    {},
    { meta: { v: 1 } },
    { user_group: { id: "{user_group_id}", plan: "free", on: true } },
  ),
});

/** Responses for some names. */
const responses = fc.record(
  Object.fromEntries(Object.keys(responseNames).map((name) => [name, name in successes ? success : failure])),
  { requiredKeys: [] },
) as fc.Arbitrary<NonNullable<Profile["responses"]>>;

/** Names that verify does not provoke. */
const unseen = [
  "payload_too_large",
  "invalid_body.user_group_id.empty",
  "invalid_body.user_group_id",
  "invalid_body",
];

describe("verify against the mock", () => {
  const drawn = fc.sample(fc.tuple(mixtures, responses), { numRuns: draws(5, 100), seed: 20261 });

  it.each([...drawn.entries()])(
    "finds profile %i, and a mock with what it found responds in the same way",
    async (_, [assume, given]) => {
      await using mock = await startMock({ profile: { assume, responses: given } });
      const report = await verify(mock, twoTokens, verifyWhole);
      expect(report.replay.different).toEqual([]);
      const {
        "failure-status": status,
        "failure-body": body,
        "created-status": created,
        ...others
      } = visible(assume);
      const open = report.assumptions.filter(({ why }) => why === "another group may have this name");
      for (const { id } of open)
        expect(Object.assign(others, { [id]: null })["unique-names"]).toBe("rejected");
      expect(valuesIn(report)).toMatchObject(others);
      const [known, found] = [given, report.profile.responses].map((one) => resolveResponses(one));
      for (const name of new Set(namesIn(report).filter((one) => one !== "" && !unseen.includes(one)))) {
        const { status, body, text } = known?.get(name) ?? {};
        const expected = {
          ...(status && { status }),
          ...(Object.keys(Object(body)).length > 0 && { body }),
          ...(text && { text }),
        };
        expect(found?.get(name) ?? {}, name).toMatchObject(expected);
      }
    },
  );

  it("finds the defaults of a mock without assumptions, with at most 150 requests and 50 groups", async () => {
    await using mock = await startMock();
    const report = await verify(mock, twoTokens, verifyWhole);
    expect(valuesIn(report)).toEqual(defaultAssumptions);
    expect(report.facts.filter(({ verdict }) => verdict !== "holds")).toEqual([]);
    expect(report.assumptions.map(({ default: usual }) => usual)).toEqual(Object.values(defaultAssumptions));
    expect(report.against).toBe(mock.url);
    const sent = await mock.requests();
    expect([report.further.of, report.replay.of + report.further.of]).toEqual([24, sent.length]);
    expect(sent.length).toBeLessThanOrEqual(150);
    expect(new Set(sent.map(({ request }) => request.method))).toEqual(
      new Set([...operationIds.map((id) => operations[id].method), unusedMethod]),
    );
    expect(sent.filter(({ request }) => Object(request.body).user_group_id === "")).toEqual([]);
    const learned = sent.slice(0, report.replay.of);
    const wrong = learned.findIndex(({ cause }) => cause?.code === "unauthorized");
    expect(wrong).toBeGreaterThanOrEqual(learned.length - 7);
    const seen = new Set(namesIn(report));
    const unprovoked = Object.keys(responseNames).filter(
      (name) => ![...seen].some((one) => one === name || one.startsWith(`${name}.`)),
    );
    // The other ones need a rule or a value that this mock does not have.
    const isAboutRules =
      /\.(long|format)$|^conflict|^invalid_body\.unknown|(mapping|properties|filename)\.(missing|empty)$/;
    expect(unprovoked.filter((name) => !isAboutRules.test(name))).toEqual([
      "invalid_body.user_group_id.null",
      "invalid_body.user_group_id.empty",
      "payload_too_large",
    ]);
  });

  it("creates at most 50 groups in a service that accepts everything", async () => {
    const assume = {
      "api-tokens": "any",
      "name-on-create": "defaults-to-id",
      "mapping-values": "accepted",
      "numeric-ids": "coerced",
      "empty-strings": "accepted",
      "content-type": "accepted",
      "trailing-slash": "accepted",
    } as const;
    await using mock = await startMock({ assume });
    await verify(mock, twoTokens, verifyWhole);
    expect((await mock.groups()).length - 5).toBeLessThanOrEqual(50);
  });
});

describe("the questions of verify about two teams", () => {
  const aboutTwoTeams = ["group-scope", "foreign-token"] as const;
  const fixtures = {
    teams: [
      { team_id: 1, api_tokens: ["one", "one-too"] },
      { team_id: 2, api_tokens: ["two"] },
    ],
    user_groups: [{ team_id: 2, provided_id: "other", name: "Other" }],
  };
  const otherwise = {
    ...defaultAssumptions,
    "group-scope": "global",
    "foreign-token": "accepted",
  } as const satisfies AssumptionValues;

  it.each([
    ["no second API token", {}, defaultAssumptions, /two teams: pass --second-api-token/],
    [
      "a token of the same team",
      { secondApiToken: "one-too" },
      defaultAssumptions,
      /belong to the same team/,
    ],
    ["an unknown token", { secondApiToken: "unknown" }, otherwise, /second API token was rejected.*401/],
    [
      "an unknown token that counts as one of the first team",
      { secondApiToken: "unknown" },
      { ...otherwise, "api-tokens": "any" } as const,
      /belong to the same team/,
    ],
  ])("are not determinable with %s", async (_, second, assume, why) => {
    await using mock = await startMock({ fixtures, assume });
    const report = await verify(mock, { apiToken: "one", ...second }, askQuestions);
    expect(valuesIn(report)).toEqual(visible(assume, aboutTwoTeams));
    for (const { id, value, why: reason } of report.assumptions) {
      expect(assumptionIds).toContain(id);
      if (value === null) expect(reason).toMatch(why);
    }
    expect(report.facts.filter(({ verdict }) => verdict === "broken")).toEqual([]);
  });
});

it("verify names what is fixed in the mock where the service differs", async () => {
  await using mock = await startMock();
  await using service = await plainServer(async (req, res) => {
    const [path = "", query] = String(req.url).split("?");
    const options = { method: req.method, headers: req.headers, text: await readText(req), timeoutMs: 5_000 };
    const { status, headers, text: body } = await exchange(new URL(mock.url + path), options);
    if (query === undefined) res.writeHead(status, headers).end(body);
    else res.writeHead(400, { "Content-Type": "application/json" }).end('{"success":0}');
  });
  const { replay } = await verifyWhole({ baseUrl: service.url, ...twoTokens });
  expect(replay.different).toMatchObject([
    { inexpressible: "The query string is ignored.", mockIs: "lenient" },
  ]);
});

describe("verify learns rejections", () => {
  const learnFrom = async (reject: Style["reject"], sample?: JsonObject) => {
    await using service = await frameworkService({ reject });
    const target = { baseUrl: service.url, apiToken: "api-token-of-one", ...(sample && { sample }) };
    const { profile, replay } = await verifyWhole(target);
    const bodyOf = (name: string) => Object(resolveResponses(profile.responses).get(name)?.body);
    return { bodyOf, names: Object.keys(profile.responses), replay };
  };

  it("with the numbers of each if they differ within one name", async () => {
    const codes: Readonly<Record<string, number>> = { json: 10, no_body: 20, unauthorized: 30 };
    const { bodyOf } = await learnFrom(({ kind, field }, { headers, json }) => {
      const isOther = headers.authorization?.startsWith("Bearer") === true || json.name === null;
      const code = codes[kind] ?? 100 + 10 * field.length;
      return { status: 400, body: { success: 0, code: isOther ? code + 1 : code } };
    });
    const names = ["json", "body.name", "body.user_group_id", "body.mapping.type"].map(
      (one) => `invalid_${one}`,
    );
    const found = [...names, "missing_body", "unauthorized"].map(bodyOf);
    expect(found.map(({ code }) => code)).toEqual([10, 140, 230, 170, 20, 30]);
  });

  describe("of a service that adds a time and a path", () => {
    let sent = 0;
    const sample = { user_group_id: "any", name: "Any", region: "and" };
    const reject: Style["reject"] = (_, { path }) => {
      const why = path.startsWith("/api/ugm-") ? "first" : "others";
      const at = 1_700_000_000 + Math.floor(++sent / 3);
      return { status: 400, body: { success: 0, why, at, hint: "The standard field" } };
    };
    let learned: Awaited<ReturnType<typeof learnFrom>>;
    beforeAll(async () => {
      learned = await learnFrom(reject, sample);
    });

    it("as equal if they differ in a number that changes slowly", () => {
      const { names, replay, bodyOf } = learned;
      expect(bodyOf("invalid_body").at).toBeGreaterThanOrEqual(1_700_000_000);
      expect(names.filter((name) => name.startsWith("invalid_body."))).toEqual([]);
      // One path has another text.
      expect(replay.same - replay.exact).toBe(1);
    });

    it("as most requests of a name get them", () => {
      expect(learned.bodyOf("not_found").why).toBe("others");
    });

    it("without removing words that a sample has too", () => {
      expect(learned.bodyOf("invalid_body").hint).toBe("The standard field");
    });
  });
});

it("verify names its groups also if the sample has no name", async () => {
  await using mock = await startMock();
  const { prefix } = await askQuestions({
    baseUrl: mock.url,
    ...twoTokens,
    sample: { user_group_id: "any" },
  });
  const names = (await mock.groups()).map(({ name }) => name);
  expect(names).toContain(`${prefix} 2`);
  expect(names.filter((name) => name.includes("undefined"))).toEqual([]);
});

describe("a run of verify", () => {
  it("has as many steps as it announces", async () => {
    await using mock = await startMock();
    let announced = 0;
    const steps: string[] = [];
    await askQuestions(
      { baseUrl: mock.url, ...twoTokens },
      {
        progress: {
          begin: (run) => {
            announced = run.steps;
          },
          step: (question) => steps.push(question),
        },
      },
    );
    expect(steps).toHaveLength(announced);
  });

  it("does not compare with an internal error that the service does not repeat", async () => {
    let isFurther = false;
    let requests = 0;
    await using service = await frameworkService({
      reject: () => ({ status: 400, body: { success: 0 } }),
      before: () => (isFurther && ++requests === 2 ? { status: 500, body: { success: 0 } } : undefined),
    });
    const { further } = await verifyWhole(
      { baseUrl: service.url, apiToken: "api-token-of-one" },
      {
        progress: {
          begin: () => {},
          step: (question) => {
            isFurther = question === "further requests";
          },
        },
      },
    );
    // Without the one that got the error, and its repetition. What is drawn may need a group when there is none.
    expect(further.of).toBe(requests - 2);
    expect(further.of).toBeGreaterThan(12);
  });
});

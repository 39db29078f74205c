import { describe, expect, it } from "vitest";
import { profileProblems } from "../../../src/fake/contract/profile-problems.js";
import { loadProfileValidator } from "../../../src/fake/contract/schemas.js";
import { GroupClient } from "../../../src/lab/verify/service/group-client.js";
import { frameworkService, type SeenRequest, type Style } from "./framework-service.js";
import { verifyWhole } from "./known-service.js";

const apiToken = "api-token-of-one";
const secret = "hunter2-hunter2";
const secretNumber = 918_273_645_546;

/** Everything that a service could know of a request, in every form. */
const echoes = ({ headers, json, path, method }: SeenRequest) => {
  const all = JSON.stringify({ headers, json, path, method });
  return {
    all,
    deep: [{ headers, json }],
    encoded: encodeURIComponent(all),
    base64: Buffer.from(apiToken).toString("base64"),
    loud: all.toUpperCase(),
    [`key of ${apiToken}`]: 1,
    [String(Object(json).user_group_id)]: [String(Object(json).current_token)],
    api_key: secret,
    password: secretNumber,
    nested: { clientSecret: secret, tokens: [secret, { value: secret }] },
  };
};

const hostile: Readonly<Record<string, Style>> = {
  "repeats everything in texts": {
    reject: (_, request) => ({
      status: 400,
      body: `<pre>${JSON.stringify({ ...echoes(request), api_key: 0, password: 0, nested: 0 })
        .replaceAll("&", "&amp;")
        .replaceAll('"', "&quot;")}</pre>`,
      headers: { "WWW-Authenticate": `Token ${request.headers.authorization}` },
    }),
  },
  "repeats everything in rejections, and has secrets in its groups": {
    reject: (wrong, request) => ({ status: 400, body: { success: 0, ...wrong, ...echoes(request) } }),
    addToGroup: (group) => ({
      api_key: secret,
      secretNumber,
      previous: { token: group.token, ids: [group.provided_id] },
      session: `s-${group.token}`,
      [`api-key-${group.provided_id}`]: secret,
      note: `${group.token.slice(0, 20)} ${group.id}`,
      hint: `${secret} of ${group.id}`,
      owners: { [group.provided_id]: `${secret} of ${group.id}`, [group.token]: `${secret} of ${group.id}` },
    }),
    addToBody: () => ({ access_token: secret, password: { value: secret } }),
  },
};

describe("the profile of a hostile service", () => {
  it.each(Object.entries(hostile))(
    "has no API token, token, id of the run or secret: it %s",
    async (_, style) => {
      const tokens: string[] = [];
      await using service = await frameworkService({
        ...style,
        addToGroup: (group) => {
          tokens.push(group.token);
          return { ...style.addToGroup?.(group) };
        },
      });
      const target = { baseUrl: service.url, apiToken, secondApiToken: "api-token-of-two" };
      const { profile, prefix, replay } = await verifyWhole(target);
      const text = JSON.stringify(profile).toLowerCase();
      expect(replay.of).toBeGreaterThan(50);
      expect(tokens.length).toBeGreaterThan(20);
      for (const token of [
        ...tokens,
        ...tokens.map((one) => one.slice(0, 20)),
        apiToken,
        "api-token-of-two",
        prefix,
        secret,
        `${secretNumber}`,
      ])
        expect(text).not.toContain(token.toLowerCase());
      expect(text).not.toContain(Buffer.from(apiToken).toString("base64").toLowerCase());
      expect(profileProblems(profile, await loadProfileValidator())).toEqual([]);
    },
  );

  it("has no text of a group if the service has only one", async () => {
    await using service = await frameworkService({
      reject: () => ({ status: 400, body: { success: 0 } }),
      addToGroup: ({ id }) => ({ id, session: secret }),
      deviate: (correct, { json: { user_group_id = "-1" } }) =>
        String(user_group_id).endsWith("-1") ? correct : { status: 400, body: { success: 0 } },
    });
    const { profile } = await verifyWhole({ baseUrl: service.url, apiToken });
    const { created, found, rotated } = profile.responses;
    const body = { user_group: { id: 1, session: "example" } };
    expect([created, found, rotated]).toMatchObject([{ body }, { body }, { body }]);
  });
});

it("the reasons of verify have no API token, no control characters, and are short", async () => {
  const names = Array.from({ length: 1_000 }, (_, n) => [`field ${n}`, n]);
  const body = { success: 0, [apiToken]: 1, "\u001b[2J": 1, ...Object.fromEntries(names) };
  await using service = await frameworkService({
    reject: ({ kind }) => ({ status: 400, body: kind === "field" ? body : { success: 0 } }),
    deviate: (correct) => {
      const { user_group } = Object(correct.body);
      const group = { ...user_group, name: [apiToken, "\u001b[2J", "long ".repeat(1_000)] };
      return user_group ? { ...correct, body: { ...Object(correct.body), user_group: group } } : correct;
    },
  });
  const { facts, assumptions } = await verifyWhole({ baseUrl: service.url, apiToken });
  const { why = "" } = assumptions.find(({ id }) => id === "failure-body") ?? {};
  const { detail = "" } = facts.find(({ id }) => id === "sent") ?? {};
  expect(why).toContain("(success, [secret], \\u001b[2J, field 0,");
  expect(detail).toContain('name was ["[secret]","\\u001b[2J","long long');
  const reasons = [...facts, ...assumptions].map(({ why }) => why ?? "");
  for (const reason of [why, detail, ...reasons]) {
    expect(reason).not.toContain(apiToken);
    expect(reason.length).toBeLessThanOrEqual(500);
  }
});

it("a remark of verify has no API token", async () => {
  await using service = await frameworkService({
    reject: () => ({ status: 400, body: { success: 0 } }),
    nameOptional: true,
    deviate: (correct, { json }) => {
      const { user_group } = Object(correct.body);
      if (!user_group || !("user_group_id" in json) || "name" in json) return correct;
      return { ...correct, body: { ...Object(correct.body), user_group: { ...user_group, name: apiToken } } };
    },
  });
  const { assumptions } = await verifyWhole({ baseUrl: service.url, apiToken });
  const found = assumptions.find(({ id }) => id === "name-on-create");
  expect(found).toMatchObject({
    value: "defaults-to-id",
    remark: 'the service gave the name "[secret]", not the id',
  });
});

it("verify hides the tokens that it invents: most of each is the token of a group", async () => {
  await using service = await frameworkService({ reject: () => ({ status: 400, body: { success: 0 } }) });
  const client = new GroupClient({ baseUrl: service.url, apiToken });
  const invented = "abc/def/ghi/jkl";
  expect(client.secrets.show(invented)).toBe(invented);
  client.inventedTokens.add(invented);
  await client.rotate(invented);
  expect(client.secrets.show(`of ${invented}`)).toBe("of [secret]");
});

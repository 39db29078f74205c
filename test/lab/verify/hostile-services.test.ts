import { describe, expect, it } from "vitest";
import { profileProblems } from "../../../src/fake/contract/profile-problems.js";
import { loadProfileValidator } from "../../../src/fake/contract/schemas.js";
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
  "repeats everything in rejections": {
    reject: (wrong, request) => ({ status: 400, body: { success: 0, ...wrong, ...echoes(request) } }),
  },
  "repeats everything in texts": {
    reject: (_, request) => ({
      status: 400,
      body: `<pre>${JSON.stringify({ ...echoes(request), api_key: 0, password: 0, nested: 0 })
        .replaceAll("&", "&amp;")
        .replaceAll('"', "&quot;")}</pre>`,
      headers: { "WWW-Authenticate": `Token ${request.headers.authorization}` },
    }),
  },
  "has secrets in its groups": {
    reject: () => ({ status: 400, body: { success: 0 } }),
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

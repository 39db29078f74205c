import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/foundation/json.js";
import {
  behaviourQuestions,
  fixedQuestions,
  headQuestions,
  responseQuestions,
} from "../../../../src/lab/verify/ask/behaviour-questions.js";
import { teamQuestions } from "../../../../src/lab/verify/ask/team-questions.js";
import { wrongApiTokenQuestions } from "../../../../src/lab/verify/ask/wrong-api-tokens.js";
import type { GroupClient } from "../../../../src/lab/verify/service/group-client.js";
import type { RequestOptions, Target } from "../../../../src/lab/verify/service/service-client.js";
import { recorded, rejected, type SeenPart, scriptedService, success } from "../seen-responses.js";

type Respond = (body: JsonObject, options: RequestOptions) => SeenPart;
const questions = {
  ...behaviourQuestions,
  ...responseQuestions,
  ...headQuestions,
  ...fixedQuestions,
  ...teamQuestions,
  ...wrongApiTokenQuestions,
};

/** Asks one question of a service. Its first group has the id `first` and the token `first-token`. */
async function ask(name: keyof typeof questions, respond: Respond, target: Partial<Target> = {}) {
  const { service, sent } = scriptedService(respond, target);
  const body = { user_group_id: "first", name: "First" };
  service.creation = recorded({ body }, success({ name: "First", token: "first-token" }));
  const question: (service: GroupClient) => Promise<unknown> = questions[name];
  const value = await question(service).catch((error: Error) => error.message);
  return { value, sent, service };
}

const answerOf = async (name: keyof typeof questions, respond: Respond, target: Partial<Target> = {}) =>
  (await ask(name, respond, target)).value;

describe("what happens to a group that exists", () => {
  /** A service that keeps the first values of a group, and rejects a look-up with others on a condition. */
  function service(decide: {
    readonly updates?: boolean;
    readonly showsProperties?: boolean;
    readonly rejects?: (field: "name" | "mapping" | "properties") => boolean;
    readonly rejectsNew?: (body: JsonObject) => boolean;
  }): Respond {
    const groups = new Map<unknown, JsonObject>();
    return (body) => {
      const known = groups.get(body.user_group_id);
      if (known === undefined && decide.rejectsNew?.(body)) return rejected;
      for (const field of ["name", "mapping", "properties"] as const) {
        const isOther = known !== undefined && JSON.stringify(known[field]) !== JSON.stringify(body[field]);
        if (isOther && decide.rejects?.(field)) return rejected;
      }
      const group = known === undefined || decide.updates ? body : known;
      groups.set(body.user_group_id, group);
      const properties = { ...Object(known?.properties), ...Object(body.properties) };
      return success({ name: group.name, ...(decide.showsProperties && { properties }) });
    };
  }
  const withMapping: Respond = (body) => success({ name: body.name });
  const found = async (
    respond: Respond,
    target: Partial<Target> = {},
    base: JsonObject = { mapping: { "40": "213" }, properties: { a: 1 } },
  ) => {
    const { service: client, sent } = scriptedService(respond, target);
    client.base = base;
    const value = await behaviourQuestions["existing-group"](client).catch((error: Error) => error.message);
    return { value, sent };
  };

  it.each([
    ["nothing", {}, { name: "unchanged", others: "accepted" }],
    ["its name changes", { updates: true }, { name: "updated", others: "accepted" }],
    [
      "its properties are merged",
      { updates: true, showsProperties: true },
      { name: "updated", others: "accepted", properties: "merged" },
    ],
    [
      "another name is rejected",
      { rejects: (field: string) => field === "name" },
      { name: "rejected", others: "accepted" },
    ],
    [
      "other properties are rejected",
      { rejects: (field: string) => field === "properties" },
      { name: "unchanged", others: "rejected" },
    ],
    [
      "another mapping is rejected",
      { rejects: (field: string) => field === "mapping" },
      { name: "unchanged", others: "rejected" },
    ],
    ["all are rejected", { rejects: () => true }, { name: "rejected", others: "rejected" }],
  ])("%s", async (_, decide, expected) => {
    expect((await found(service(decide))).value).toEqual(expected);
  });

  it("shows what was merged also if another mapping is rejected, and nothing without properties before", async () => {
    const merging = { updates: true, showsProperties: true };
    const rejects = (field: string) => field === "mapping";
    expect((await found(service({ ...merging, rejects }))).value).toEqual({
      name: "updated",
      others: "rejected",
      properties: "merged",
    });
    for (const base of [{}, { properties: {} }])
      expect((await found(service(merging), {}, base)).value).toEqual({
        name: "updated",
        others: "accepted",
      });
  });

  it("is not known if every second request is rejected", async () => {
    const seen = new Set<unknown>();
    const { value } = await found(({ user_group_id, name }) => {
      if (seen.has(user_group_id)) return rejected;
      seen.add(user_group_id);
      return success({ name });
    });
    expect(value).toBe("a request that has to succeed was rejected (status 422)");
  });

  it("is not known if the name becomes something else", async () => {
    let n = 0;
    const { value } = await found(() => success({ name: `name ${++n}` }));
    expect(value).toBe('the name became "name 2", which no value expresses');
  });

  it.each([
    ["properties", ({ properties }: JsonObject) => "verify" in Object(properties)],
    ["mapping", ({ mapping }: JsonObject) => Object(mapping)["41"] === "214"],
  ])("is not a rejection of other %s if a new group may not have them either", async (field, rejectsNew) => {
    const rejects = (one: string) => one === field;
    expect((await found(service({ rejects, rejectsNew }))).value).toEqual({
      name: "unchanged",
      others: "accepted",
    });
  });

  it("is not asked about another mapping with a sample, or without a mapping", async () => {
    const mappings = (sent: Awaited<ReturnType<typeof found>>["sent"]) =>
      new Set(sent.map(({ body }) => JSON.stringify(body.mapping)));
    expect(mappings((await found(withMapping)).sent).size).toBe(2);
    expect(mappings((await found(withMapping, { sample: {} })).sent).size).toBe(1);
    expect(mappings((await found(withMapping, {}, {})).sent).size).toBe(1);
  });
});

describe("which old tokens name their group", () => {
  /** @param kept how many old tokens are still accepted */
  function rotating(kept: number): Respond {
    const tokens = ["t0"];
    return ({ current_token }) => {
      if (current_token === undefined) return success({ token: tokens.at(-1) });
      if (!tokens.slice(-1 - kept).includes(String(current_token))) return rejected;
      tokens.push(`t${tokens.length}`);
      return success({ token: tokens.at(-1) }, {});
    };
  }

  it.each([
    ["rejected", 0],
    ["previous", 1],
    ["accepted", 9],
  ])("%s, if %d of them are", async (value, kept) => {
    expect(await answerOf("old-token", rotating(kept))).toBe(value);
  });

  it("is not known if a rotation keeps the token", async () => {
    expect(await answerOf("old-token", () => success({ token: "same" }))).toBe(
      "rotation keeps the token, so there is no old token",
    );
  });

  it("is not known if the latest token is rejected, too", async () => {
    let n = 0;
    const respond: Respond = () => (++n > 3 ? rejected : success({ token: `t${n}` }));
    expect(await answerOf("old-token", respond)).toBe(
      "a request that has to succeed was rejected (status 422)",
    );
  });
});

describe("an id in capitals, and with a space at its end, is understood", () => {
  it.each<[string, (id: string) => string, object]>([
    ["as another group", (id) => id, { capitals: "another group", space: "another group" }],
    ["as the same group", (id) => id.toLowerCase().trim(), { capitals: "same group", space: "same group" }],
    ["in its own way each", (id) => id.trim(), { capitals: "another group", space: "same group" }],
  ])("%s", async (_, toKey, expected) => {
    const groups = new Set<string>();
    const respond: Respond = ({ user_group_id }) => {
      const key = toKey(String(user_group_id));
      const new_user_group = !groups.has(key);
      groups.add(key);
      return success({}, { new_user_group });
    };
    expect(await answerOf("id-matching", respond)).toEqual(expected);
  });

  it("as a mistake", async () => {
    const respond: Respond = ({ user_group_id }) =>
      /[A-Z ]/.test(String(user_group_id)) ? rejected : success({});
    expect(await answerOf("id-matching", respond)).toEqual({ capitals: "rejected", space: "rejected" });
  });

  it("as the same group, if only another name was rejected", async () => {
    const names = new Map<string, unknown>();
    const respond: Respond = ({ user_group_id, name }) => {
      const key = String(user_group_id).toLowerCase().trim();
      const known = names.get(key);
      if (known !== undefined && known !== name) return rejected;
      names.set(key, name);
      return success({}, { new_user_group: known === undefined });
    };
    expect(await answerOf("id-matching", respond)).toEqual({ capitals: "same group", space: "same group" });
  });

  it("as a mistake, if only a new group with the same name is accepted", async () => {
    const respond: Respond = ({ user_group_id, name }) =>
      /[A-Z ]/.test(String(user_group_id)) && !String(name).endsWith(" 2") ? rejected : success({});
    expect(await answerOf("id-matching", respond)).toEqual({ capitals: "rejected", space: "rejected" });
  });
});

describe("a group without a name", () => {
  it.each<[string, Respond, unknown]>([
    ["is rejected", ({ name }) => (name === undefined ? rejected : success({})), { isRequired: true }],
    [
      "has its id as name",
      ({ user_group_id, name }) => success({ name: name ?? user_group_id }),
      { isRequired: false },
    ],
    ["has another name", () => success({ name: "none" }), { isRequired: false, otherName: "none" }],
    ["has none then", () => success({}), "the name became missing, which no value expresses"],
    ["has null then", () => success({ name: null }), "the name became null, which no value expresses"],
  ])("%s", async (_, respond, answer) => {
    expect(await answerOf("name-on-create", respond)).toEqual(answer);
  });
});

describe("a name that another group has", () => {
  it("is accepted", async () => {
    const { value, sent, service } = await ask("unique-names", () => success({}));
    expect([value, sent[0]?.body.name, service.takenName]).toEqual(["allowed", "First", undefined]);
  });

  it("is rejected, and how is remembered", async () => {
    const { value, service } = await ask("unique-names", () => ({ ...rejected, status: 409 }));
    expect(value).toBe("rejected");
    expect(service.takenName).toMatchObject({ name: "First", rejection: { status: 409 } });
  });
});

describe("other types than JSON", () => {
  it.each<[string, readonly unknown[]]>([
    ["accepted", ["text/plain", "application/x-www-form-urlencoded", null]],
    ["rejected", []],
    ["optional", [null]],
    [
      "text/plain is accepted, application/x-www-form-urlencoded is rejected, no header is accepted",
      ["text/plain", null],
    ],
    [
      "text/plain is accepted, application/x-www-form-urlencoded is rejected, no header is rejected",
      ["text/plain"],
    ],
    [
      "text/plain is rejected, application/x-www-form-urlencoded is accepted, no header is accepted",
      ["application/x-www-form-urlencoded", null],
    ],
  ])("are %s if the service accepts %j", async (value, types) => {
    const respond: Respond = (_, { contentType }) => (types.includes(contentType) ? success({}) : rejected);
    expect(await answerOf("content-type", respond)).toBe(value);
  });
});

describe("two teams", () => {
  const target = { secondApiToken: "second" };
  const team = (options: RequestOptions, more: JsonObject = {}) =>
    success({ team_id: options.apiToken === "second" ? 8 : 7, token: "t" }, more);

  it.each<[string, Respond]>([
    ["per-team", (_, options) => team(options, { new_user_group: true })],
    ["global", (_, options) => team(options, { new_user_group: options.apiToken !== "second" })],
    ["new_user_group was missing", (_, options) => team(options)],
  ])("have an id each, or share it: %s", async (value, respond) => {
    const { value: found, service } = await ask("group-scope", respond, target);
    expect(found).toBe(value);
    expect(service.hasSecondTeam).toBe(true);
  });

  it.each<[string, Respond]>([
    ["accepted", (_, options) => team(options)],
    [
      "rejected",
      ({ current_token }, options) =>
        current_token && options.apiToken === "second" ? rejected : team(options),
    ],
  ])("may rotate each other's tokens: %s", async (value, respond) => {
    expect(await answerOf("foreign-token", respond, target)).toBe(value);
  });

  it("are seen once", async () => {
    const { service, sent } = scriptedService(
      (_, options) => team(options, { new_user_group: true }),
      target,
    );
    service.creation = recorded({}, success({}));
    await teamQuestions["group-scope"](service);
    await teamQuestions["foreign-token"](service);
    expect(sent.filter(({ options }) => options.apiToken === "second")).toHaveLength(3);
  });

  it("are not asked about again with a token that was rejected: an account may be locked", async () => {
    const { service, sent } = scriptedService(() => ({ ...rejected, status: 401 }), target);
    service.creation = recorded({}, success({}));
    const why = "the second API token was rejected (status 401)";
    await expect(teamQuestions["group-scope"](service)).rejects.toThrow(why);
    await expect(teamQuestions["foreign-token"](service)).rejects.toThrow(why);
    expect(sent.filter(({ options }) => options.apiToken === "second")).toHaveLength(1);
  });

  it("need two API tokens, which are accepted and of different teams", async () => {
    const same: Respond = () => success({ token: "t" });
    expect(await answerOf("group-scope", same)).toBe("this needs two teams: pass --second-api-token");
    expect(await answerOf("group-scope", same, target)).toBe(
      "both API tokens belong to the same team: pass one of another",
    );
    const { value, service } = await ask("group-scope", () => ({ ...rejected, status: 401 }), target);
    expect(value).toBe("the second API token was rejected (status 401)");
    expect(service.hasSecondTeam).toBe(false);
  });
});

describe("without an API token", () => {
  const fact = (isAccepted: (method: string | undefined) => boolean) =>
    answerOf("no API token", (_, { method, apiToken }) =>
      apiToken === null && !isAccepted(method) ? rejected : success({ token: "t" }),
    );

  it("each operation fails, or not", async () => {
    expect(await fact(() => false)).toBeUndefined();
    expect(await fact(() => true)).toBe("get-or-create succeeded without it");
    expect(await fact((method) => method === "POST")).toBe("rotate succeeded without it");
  });
});

describe("a question sends", () => {
  const sentBy = async (name: keyof typeof questions) =>
    (await ask(name, () => success({ token: "t" }))).sent;

  it.each<[keyof typeof questions, RequestOptions]>([
    ["trailing-slash", { path: "/api/user/" }],
    ["auth-scheme", { scheme: "token" }],
    ["another scheme", { scheme: "Bearer", apiToken: expect.stringMatching(/^ugm-\w{6}-\d+$/) }],
    ["api-tokens", { apiToken: expect.stringMatching(/^ugm-\w{6}-\d+$/) }],
    ["another path", { path: expect.stringMatching(/^\/api\/ugm-\w{6}-\d+$/) }],
    ["query string", { path: "/api/user?verify=1", inexpressible: "The query string is ignored." }],
  ])("%s: the request of the first group, otherwise %j", async (name, options) => {
    expect(await sentBy(name)).toEqual([{ body: { user_group_id: "first", name: "First" }, options }]);
  });

  it("a rotation at another path", async () => {
    expect((await sentBy("videos-path")).at(-1)).toEqual({
      body: { current_token: "t" },
      options: { method: "POST", path: "/videos" },
    });
  });

  it.each<[keyof typeof questions, unknown]>([
    ["current_token: missing", undefined],
    ["current_token: null", null],
    ["current_token: empty", ""],
    ["current_token: wrong", "wrong"],
    ["current_token: number", expect.any(Number)],
  ])("%s", async (name, current_token) => {
    const body = current_token === undefined ? {} : { current_token };
    expect(await sentBy(name)).toEqual([{ body, options: { method: "POST" } }]);
  });

  it("a token of the same form that was never issued, and remembers it", async () => {
    const { sent, service } = await ask("current_token: unknown", () => rejected);
    const token = String(sent[0]?.body.current_token);
    expect(token).toHaveLength("first-token".length);
    expect(token).not.toBe("first-token");
    expect([...service.inventedTokens]).toEqual([token]);
  });

  it("an end of twelve other characters, if the token is long", async () => {
    const { service, sent } = scriptedService(() => rejected);
    const long = "x".repeat(40);
    service.creation = recorded({}, success({ token: long }));
    await responseQuestions["current_token: unknown"](service);
    expect(sent[0]?.body.current_token).toMatch(/^x{28}[\da-f]{12}$/);
  });

  it.each<[keyof typeof questions, string, string]>([
    ["trailing-slash", "accepted", "rejected"],
    ["videos-path", "rotates", "absent"],
    ["auth-scheme", "any-case", "exact"],
    ["api-tokens", "any", "listed"],
  ])("%s, which is %s or %s", async (name, isAccepted, isRejected) => {
    expect(await answerOf(name, () => success({ token: "t" }))).toBe(isAccepted);
    const respond: Respond = (_, { path, scheme, apiToken }) =>
      (path ?? scheme ?? apiToken) ? rejected : success({ token: "t" });
    expect(await answerOf(name, respond)).toBe(isRejected);
  });
});

import { describe, expect, it } from "vitest";
import {
  type AssumptionId,
  assumptionIds,
  assumptions,
  defaultAssumptions,
  valuesOf,
  withAssumptions,
} from "../../src/contract/assumptions.js";
import { startMock } from "../../src/index.js";
import { call, getOrCreate, rotate, type TestResponse } from "../call.js";
import { seededToken } from "../seeded.js";

interface Scenario {
  /** Sends a request whose response the assumption decides. */
  readonly act: (url: string) => Promise<TestResponse>;
  /** The part of the response that the assumption decides. */
  readonly see: (response: TestResponse) => unknown;
  /** That part for each value. */
  readonly expected: Readonly<Record<string, unknown>>;
}

const statusAndCode = ({ status, body }: TestResponse) => [status, body.error?.code];
const ok = [200, undefined];
const invalid = [400, "invalid_body"];

const scenarios: Record<AssumptionId, Scenario> = {
  "api-tokens": {
    act: (url) => getOrCreate(url, { user_group_id: "example_1" }, { apiToken: "unheard-of" }),
    see: ({ status, body }) => [status, body.user_group?.team_id],
    expected: { listed: [401, undefined], any: [200, 3] },
  },
  "auth-scheme": {
    act: (url) =>
      getOrCreate(
        url,
        { user_group_id: "example_1" },
        { headers: { Authorization: "tOKEN test-api-token" } },
      ),
    see: statusAndCode,
    expected: { exact: [401, "unauthorized"], "any-case": ok },
  },
  "group-scope": {
    act: (url) =>
      getOrCreate(url, { user_group_id: "no-mapping", name: "Mine" }, { apiToken: "other-api-token" }),
    see: ({ body }) => [body.new_user_group, body.user_group.team_id],
    expected: { "per-team": [true, 4], global: [false, 3] },
  },
  "name-on-create": {
    act: (url) => getOrCreate(url, { user_group_id: "nameless" }),
    see: ({ status, body }) => [status, body.user_group?.name],
    expected: { required: [400, undefined], "defaults-to-id": [200, "nameless"] },
  },
  "existing-group": {
    act: (url) => getOrCreate(url, { user_group_id: "example_1", name: "Renamed" }),
    see: ({ body }) => body.user_group.name,
    expected: { unchanged: "Example 1", updated: "Renamed" },
  },
  "created-status": {
    act: (url) => getOrCreate(url, { user_group_id: "new", name: "New" }),
    see: ({ status, body }) => [status, body.new_user_group],
    expected: { "200": [200, true], "201": [201, true] },
  },
  "rotated-token": {
    act: (url) => rotate(url, seededToken),
    see: ({ status, body }) => [status, body.user_group.token === seededToken],
    expected: { new: [200, false], same: [200, true] },
  },
  "old-token": {
    act: async (url) => {
      await rotate(url, seededToken);
      return rotate(url, seededToken);
    },
    see: ({ status, body }) => [status, body.user_group?.provided_id],
    expected: { rejected: [404, undefined], accepted: [200, "example_1"] },
  },
  "foreign-token": {
    act: (url) => rotate(url, seededToken, { apiToken: "other-api-token" }),
    see: ({ status, body }) => [status, body.user_group?.team_id],
    expected: { rejected: [404, undefined], accepted: [200, 3] },
  },
  "failure-status": {
    act: (url) => rotate(url, "unknown"),
    see: statusAndCode,
    expected: { "by-kind": [404, "unknown_token"], "always-200": [200, "unknown_token"] },
  },
  "failure-body": {
    act: (url) => rotate(url, "unknown"),
    see: ({ body }) => body,
    expected: {
      "error-object": { success: 0, error: { code: "unknown_token", message: expect.any(String) } },
      message: { success: 0, message: expect.stringContaining("belongs to no group of this team") },
      bare: { success: 0 },
    },
  },
  "unknown-fields": {
    act: (url) => getOrCreate(url, { user_group_id: "example_1", propertys: {} }),
    see: ({ status, body }) => [status, body.error?.details],
    expected: {
      ignored: ok,
      rejected: [400, [{ path: "/propertys", message: "is not in the interface; did you mean properties?" }]],
    },
  },
  "mapping-values": {
    act: (url) => getOrCreate(url, { user_group_id: "new", name: "New", mapping: { "40": 213 } }),
    see: statusAndCode,
    expected: { rejected: invalid, accepted: ok },
  },
  "numeric-ids": {
    act: (url) => getOrCreate(url, { user_group_id: 42, name: "New" }),
    see: ({ status, body }) => [status, body.user_group?.provided_id],
    expected: { rejected: [400, undefined], coerced: [200, "42"] },
  },
  "empty-strings": {
    act: (url) => getOrCreate(url, { user_group_id: "", name: "" }),
    see: ({ status, body }) => [status, body.user_group?.provided_id, body.user_group?.name],
    expected: { rejected: [400, undefined, undefined], accepted: [200, "", ""] },
  },
  "content-type": {
    act: (url) =>
      getOrCreate(url, { user_group_id: "example_1" }, { headers: { "Content-Type": "text/plain" } }),
    see: statusAndCode,
    expected: { rejected: [415, "unsupported_media_type"], accepted: ok },
  },
  "trailing-slash": {
    act: (url) => call("GET", `${url}/api/user/`, { user_group_id: "example_1" }),
    see: statusAndCode,
    expected: { rejected: [404, "not_found"], accepted: ok },
  },
  "videos-path": {
    act: (url) => call("POST", `${url}/videos`, { current_token: seededToken }),
    see: statusAndCode,
    expected: { absent: [404, "not_found"], rotates: ok },
  },
};

describe.each(assumptionIds)("the assumption %s", (id) => {
  const { act, see, expected } = scenarios[id];

  it.each(valuesOf(id))("has the effect of %s, and is named in the response header", async (value) => {
    await using mock = await startMock({ assume: { [id]: value } });
    const response = await act(mock.url);
    expect(see(response)).toEqual(expected[value]);
    expect(String(response.headers["usergroup-mock-assumed"]).split(", ")).toContain(`${id}=${value}`);
  });

  it("is not named in a response that it does not decide", async () => {
    await using mock = await startMock();
    const { headers } = await getOrCreate(mock.url, { user_group_id: "example_1", name: "Example 1" });
    expect(headers).not.toHaveProperty("usergroup-mock-assumed");
  });
});

describe("assumptions", () => {
  it("existing-group=updated replaces only the fields that were sent", async () => {
    await using mock = await startMock({
      assume: { "existing-group": "updated", "mapping-values": "accepted" },
    });
    const before = (await mock.state()).user_groups?.find(({ provided_id }) => provided_id === "example_1");
    await getOrCreate(mock.url, { user_group_id: "example_1", mapping: { "41": 1 } });
    const after = (await mock.state()).user_groups?.find(({ provided_id }) => provided_id === "example_1");
    expect(after).toEqual({ ...before, mapping: { "41": 1 } });
    await getOrCreate(mock.url, { user_group_id: "example_1", properties: {} });
    expect((await mock.state()).user_groups?.[0]).toEqual({
      ...before,
      mapping: { "41": 1 },
      properties: {},
    });
    expect((await rotate(mock.url, seededToken)).status).toBe(200);
  });

  it("failure-status=always-200 applies to /api/user only", async () => {
    await using mock = await startMock({
      assume: { "failure-status": "always-200", "failure-body": "bare" },
    });
    for (const method of ["GET", "POST", "PUT"]) {
      const { status, body, headers } = await call(method, `${mock.url}/api/user`, "{");
      expect([status, body]).toEqual([200, { success: 0 }]);
      expect(headers).not.toHaveProperty("www-authenticate");
    }
    const { status, body } = await call("GET", `${mock.url}/api/users`);
    expect([status, body.error.code]).toEqual([404, "not_found"]);
  });

  it("numeric-ids=coerced rejects a number that lost digits", async () => {
    await using mock = await startMock({ assume: { "numeric-ids": "coerced" } });
    const rounded = await getOrCreate(mock.url, '{"user_group_id": 9007199254740993, "name": "Big"}');
    expect(statusAndCode(rounded)).toEqual(invalid);
    const exact = await getOrCreate(mock.url, '{"user_group_id": 1.5, "name": "Half"}');
    expect(exact.body.user_group.provided_id).toBe("1.5");
    const boolean = await getOrCreate(mock.url, '{"user_group_id": true, "name": "True"}');
    expect(statusAndCode(boolean)).toEqual(invalid);
  });

  it("old-token=accepted rotates an old token to a new one each time", async () => {
    await using mock = await startMock({ assume: { "old-token": "accepted" } });
    const tokens = [seededToken];
    for (let i = 0; i < 5; i++) tokens.push((await rotate(mock.url, seededToken)).body.user_group.token);
    expect(new Set(tokens).size).toBe(6);
    const { body } = await getOrCreate(mock.url, { user_group_id: "example_1" });
    expect(body.user_group.token).toBe(tokens.at(-1));
  });
});

describe("the table of assumptions", () => {
  it("has the documented ids, values and defaults", () => {
    expect(Object.fromEntries(assumptionIds.map((id) => [id, valuesOf(id)]))).toEqual({
      "api-tokens": ["listed", "any"],
      "auth-scheme": ["exact", "any-case"],
      "group-scope": ["per-team", "global"],
      "name-on-create": ["required", "defaults-to-id"],
      "existing-group": ["unchanged", "updated"],
      "created-status": ["200", "201"],
      "rotated-token": ["new", "same"],
      "old-token": ["rejected", "accepted"],
      "foreign-token": ["rejected", "accepted"],
      "failure-status": ["by-kind", "always-200"],
      "failure-body": ["error-object", "message", "bare"],
      "unknown-fields": ["ignored", "rejected"],
      "mapping-values": ["rejected", "accepted"],
      "numeric-ids": ["rejected", "coerced"],
      "empty-strings": ["rejected", "accepted"],
      "content-type": ["rejected", "accepted"],
      "trailing-slash": ["rejected", "accepted"],
      "videos-path": ["absent", "rotates"],
    });
    for (const id of assumptionIds) {
      expect(defaultAssumptions[id]).toBe(valuesOf(id)[0]);
      const { question, openBecause, why } = assumptions[id];
      for (const text of [question, openBecause, why]) expect(text.length).toBeGreaterThan(5);
    }
  });

  it("rejects every unknown id and value at once, with suggestions", () => {
    const choose = () =>
      withAssumptions(defaultAssumptions, { "old-tokens": "accepted", "old-token": "yes" });
    expect(choose).toThrowError("there is no assumption old-tokens; did you mean old-token?");
    expect(choose).toThrowError('"yes" is not a value of old-token; use rejected or accepted');
  });

  it("accepts a number for a numeric value", () => {
    expect(withAssumptions(defaultAssumptions, { "created-status": 201 })["created-status"]).toBe("201");
  });
});

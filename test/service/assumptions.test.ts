import { describe, expect, it } from "vitest";
import {
  assumptionIds,
  defaultAssumptions,
  valuesOf,
  withAssumptions,
} from "../../src/contract/assumptions.js";
import { startMock } from "../../src/index.js";
import { call, getOrCreate, rotate, type TestResponse } from "../call.js";
import { seededToken } from "../seeded.js";

const statusAndCode = ({ status, body }: TestResponse) => [status, body.error?.code];
const invalid = [400, "invalid_body"];

// test/interface-document.test.ts has the effect of each value, deciding-assumptions.test.ts the header that names it.
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
  it("has the first value of each assumption as its default", () => {
    for (const id of assumptionIds) expect(defaultAssumptions[id]).toBe(valuesOf(id)[0]);
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

import { describe, expect, it } from "vitest";
import type { SituationId } from "../../../src/fake/contract/situations.js";
import type { KnownSituations } from "../../../src/index.js";
import { startMock } from "../../../src/index.js";
import { startWithTwoTeams } from "./meet-situation.js";
import { acme } from "./meeting.js";
import { send } from "./send-request.js";

const startKnowing = (situations: object) =>
  startWithTwoTeams({ profile: { situations: situations as KnownSituations } });

const group = { user_group_id: "new", name: "New", mapping: { "40": "213" }, properties: { plan: "a" } };

describe("what only a profile rejects is said with its place", () => {
  it.each<[row: SituationId, said: object | string, sent: object, message: string]>([
    ["user_group_id: long", { over: 2 }, {}, "/user_group_id must have at most 2 characters"],
    ["user_group_id: long", { over: 1 }, {}, "/user_group_id must have at most 1 character"],
    ["name: short", { under: 4 }, {}, "/name must have at least 4 characters"],
    ["name: blank", "rejected", { name: " " }, "/name must not be blank"],
    [
      "user_group_id: first character",
      { characters: "a-z" },
      { user_group_id: "1n" },
      '/user_group_id must not begin with "1"',
    ],
    ["mapping: missing", "rejected", { mapping: undefined }, "/mapping is required"],
    ["mapping: empty", "rejected", { mapping: {} }, "/mapping must not be empty"],
    ["mapping key: text", "rejected", { mapping: { a: "b" } }, "/mapping/a must have a number as its key"],
    ["mapping key: empty", "rejected", { mapping: { "": "b" } }, "/mapping/ must not have an empty key"],
    [
      "mapping value: empty",
      "rejected",
      { mapping: { "40": "213", "41": "" } },
      "/mapping/41 must not be empty",
    ],
    ["mapping value: empty", "rejected", { mapping: { "40": "" } }, "/mapping/40 must not be empty"],
    [
      "mapping value: long",
      { over: 2 },
      { mapping: { "40": "12", "41": "123" } },
      "/mapping/41 must have at most 2 characters",
    ],
    [
      "properties value: null",
      "rejected",
      { properties: { plan: null } },
      "/properties/plan is not accepted",
    ],
  ])("%s: %o", async (row, said, sent, message) => {
    await using mock = await startKnowing({ [row]: said });
    const { json } = await send(mock.url, { body: { ...group, ...sent } });
    expect(json.error.message).toBe(`Invalid body for get-or-create: ${message}.`);
  });

  it("a filename", async () => {
    await using mock = await startKnowing({ "filename: sent": "rejected" });
    const body = { current_token: acme.token, filename: "a.mp4" };
    const { json } = await send(mock.url, { method: "POST", body });
    expect(json.error.message).toBe("Invalid body for rotate: /filename is not accepted.");
  });
});

it.each(["mapping: empty", "mapping key: text", "mapping key: empty", "mapping value: empty"])(
  "%s: an ordinary mapping is none of these",
  async (row) => {
    await using mock = await startKnowing({ [row]: "rejected" });
    expect((await send(mock.url, { body: group })).json.new_user_group).toBe(true);
  },
);

describe("the rules of a text", () => {
  it("are those of a number, too, where numbers are kept as text", async () => {
    await using mock = await startKnowing({
      "user_group_id: number": "accepted",
      "user_group_id: long": { over: 3 },
    });
    const idOf = (user_group_id: number) => send(mock.url, { body: { ...group, user_group_id } });
    expect((await idOf(1234)).headers["usergroup-mock-situation"]).toBe("user_group_id: long");
    expect((await idOf(123)).json.user_group.provided_id).toBe("123");
  });

  it("are not those of a number that is rejected", async () => {
    await using mock = await startKnowing({
      "several problems": "all",
      "user_group_id: long": { over: 3 },
    });
    const { json } = await send(mock.url, { body: { ...group, user_group_id: 1234 } });
    expect(json.error.details).toHaveLength(1);
  });

  it("are not those of a field that is not sent", async () => {
    await using mock = await startKnowing({
      "name: number": "accepted",
      "existing group: name long": { over: 3 },
    });
    expect((await send(mock.url, { body: { user_group_id: "acme" } })).status).toBe(200);
  });
});

it("an id of white space is an empty one where the service trims ids", async () => {
  await using mock = await startKnowing({
    "new id: spaces": "trimmed",
    "user_group_id: empty": { status: 418 },
  });
  const { status, headers } = await send(mock.url, { body: { ...group, user_group_id: "  " } });
  expect([status, headers["usergroup-mock-situation"]]).toEqual([418, "user_group_id: empty"]);
  await using kept = await startMock();
  const { json } = await send(kept.url, { body: { ...group, user_group_id: "  " } });
  expect(json.user_group.provided_id).toBe("  ");
});

it("a conflict names the field that differs", async () => {
  const response = { status: 409, body: { success: 0, field: "{field}" } };
  await using mock = await startKnowing({ "existing group: other name": response });
  const { json } = await send(mock.url, { body: { user_group_id: "acme", name: "Other" } });
  expect(json).toEqual({ success: 0, field: "name" });
});

it("a situation that a request meets twice is known once", async () => {
  await using mock = await startKnowing({ "mapping value: number": "accepted" });
  await send(mock.url, { body: { ...group, mapping: { "40": 1, "41": 2 } } });
  const [entry] = await mock.requests();
  expect(entry?.known).toEqual(["mapping value: number"]);
});

import { describe, expect, it } from "vitest";
import { operationIds, operations, servicePath } from "../../../src/fake/contract/operations.js";
import { shippedSchemas } from "../../../src/generated/shipped-schemas.js";
import { type Profile, startMock } from "../../../src/index.js";
import { call, getOrCreate, rotate } from "../../call.js";
import { seededToken } from "../../seeded.js";
import { ownMock } from "../world/own-world.js";

const own = ownMock();

const withMapping = (wrong: number) => ({
  user_group_id: "a",
  name: "A",
  mapping: Object.fromEntries(Array.from({ length: wrong }, (_, n) => [`m${n}`, n])),
});

/** Values of every type. */
const values = [null, true, 7, "text", "", [], ["text"], {}, { key: 7 }];

const sentFields = operationIds.flatMap((id) => {
  const { method, request } = operations[id];
  return Object.entries(shippedSchemas[request].properties).map((field) => [method, ...field] as const);
});

describe("a value that the schema rejects", () => {
  // The compiler does not see a field without rows: their names consist of field and type.
  it.each(sentFields)("meets a situation of the table: %s %s", async (method, field, schema) => {
    const inner = Object.keys("properties" in schema ? Object(schema.properties) : { key: {} });
    const nested = inner.flatMap((key) => values.map((value) => ({ [key]: value })));
    for (const value of [...values, ...nested]) {
      const { status } = await call(method, own.mock.url + servicePath, { [field]: value });
      expect(status, `${field}: ${JSON.stringify(value)}`).toBeLessThan(500);
    }
  });
});

describe("the message about an invalid body", () => {
  const post = (body: object) => call("POST", `${own.mock.url}/api/user`, body);

  it("suggests the other method for the body of the other operation", async () => {
    const sent = await post({ user_group_id: "a", name: "A" });
    expect(sent.body.error.message).toContain(
      "/current_token is required. This looks like get-or-create, which is a GET.",
    );
    const got = await getOrCreate(own.mock.url, { current_token: "x" });
    expect(got.body.error.message).toContain(
      "/user_group_id is required. This looks like rotate, which is a POST.",
    );
    const { body } = await call("GET", `${own.mock.url}/api/user?user_group_id=a`);
    expect(body.error.message).toContain("The query string is ignored: send user_group_id in a JSON body.");
  });

  it.each([
    ["has a wrong value, and lacks nothing", { current_token: 5, user_group_id: "a" }, false],
    ["lacks a field, and has a wrong value", { filename: 5, user_group_id: "a" }, true],
  ])("suggests the other method only for a body that lacks a field: it %s", async (_, body, isSuggested) => {
    const { message } = (await post(body)).body.error;
    expect(message.includes("This looks like")).toBe(isSuggested);
  });

  it("does not suggest the method that was used for a body that lacks a field of the profile", async () => {
    const profile: Profile = { situations: { "mapping: missing": "rejected" } };
    await using mock = await startMock({ profile });
    const { message } = (await getOrCreate(mock.url, { user_group_id: "a" })).body.error;
    expect(message).toBe("Invalid body for get-or-create: /mapping is required.");
  });

  it("names the field that a typo was meant to be, and the notes do too", async () => {
    const { body } = await post({ curent_token: "x" });
    const note = "field curent_token is not in the interface, ignored; did you mean current_token?";
    expect(body.error.message).toContain(`/current_token is required. F${note.slice(1)}`);
    expect((await own.mock.requests())[0]?.notes).toEqual([note]);
  });
});

describe("the message about a token in the wrong place", () => {
  it("says whose API token was sent as current_token", async () => {
    const { body } = await rotate(own.mock.url, "other-api-token");
    expect(body.error.message).toBe(
      "The current_token is the API token of team 4. Send it as Authorization: Token <api token>, and the token of a" +
        " user group as current_token.",
    );
  });

  it("says whose token was sent in Authorization", async () => {
    const { body } = await getOrCreate(own.mock.url, {}, { apiToken: seededToken });
    expect(body.error.message).toMatch(
      /^This is the token of the group example_1 of team 3, which belongs in current_token\. Send Authorization: Token/,
    );
  });
});

describe("the message of an invalid body", () => {
  const messageTo = async (body: unknown): Promise<string> =>
    (await getOrCreate(own.mock.url, body)).body.error.message;

  it("lists three problems, and counts the others", async () => {
    const listed = ["m0", "m1", "m2"].map((field) => `/mapping/${field} must be string`).join("; ");
    expect(await messageTo(withMapping(3))).toBe(`Invalid body for get-or-create: ${listed}.`);
    expect(await messageTo(withMapping(5))).toBe(`Invalid body for get-or-create: ${listed}; and 2 more.`);
  });

  it("is beside each assumption once, even if it decided about two values", async () => {
    const { headers } = await getOrCreate(own.mock.url, withMapping(2));
    expect(headers["usergroup-mock-assumed"]).toBe(
      "mapping-values=rejected, failure-status=by-kind, failure-body=error-object",
    );
  });

  it("names the operation, and the field that a new group needs", async () => {
    expect(await messageTo({ user_group_id: "a" })).toBe(
      "Invalid body for get-or-create: /name is required to create a group.",
    );
    expect((await own.mock.requests()).map(({ notes }) => notes)).toEqual([[]]);
  });

  it("calls the whole body it", async () => {
    expect(await messageTo("[]")).toContain("get-or-create: it must be object.");
  });
});

describe("the notes of a request with unknown fields", () => {
  const notesTo = async (names: readonly string[]): Promise<readonly string[]> => {
    const unknown = Object.fromEntries(names.map((name) => [name, 1]));
    await getOrCreate(own.mock.url, { user_group_id: "example_1", ...unknown });
    return (await own.mock.requests())[0]?.notes ?? [];
  };
  const fields = (count: number) => Array.from({ length: count }, (_, n) => `unknown-${n}`);

  it("name ten unknown fields, and count the others", async () => {
    expect(await notesTo(fields(10))).toHaveLength(10);
    await own.mock.reset();
    const notes = await notesTo(fields(11));
    expect(notes.slice(0, 10)).toEqual(
      fields(10).map((name) => expect.stringMatching(`^field ${name} is not in the interface, ignored`)),
    );
    expect(notes.slice(10)).toEqual(["1 more unknown field ignored"]);
  });
});

describe("the details of an invalid body", () => {
  it("list every problem, with its place", async () => {
    const mapping = { "40": 1, "a/b": null };
    const { error } = (
      await getOrCreate(own.mock.url, { user_group_id: 7, name: "", mapping, properties: 1 })
    ).body;
    expect(error.message).toContain("Invalid body for get-or-create: /user_group_id must be string");
    expect(error.message).toContain("and 2 more");
    expect(error.details).toEqual([
      { path: "/user_group_id", message: "must be string" },
      { path: "/name", message: "must not be empty" },
      { path: "/mapping/40", message: "must be string" },
      { path: "/mapping/a~1b", message: "must be string" },
      { path: "/properties", message: "must be object" },
    ]);
  });

  it("end with the question mark of a suggestion", async () => {
    await own.mock.assume({ "unknown-fields": "rejected" });
    const { body } = await getOrCreate(own.mock.url, { user_group_id: "example_1", nam: "a" });
    expect(body.error.message).toBe(
      "Invalid body for get-or-create: /nam is not in the interface; did you mean name?",
    );
  });

  const detailsOf = async (url: string, body: unknown) => (await getOrCreate(url, body)).body.error.details;

  it.each(["[1]", "null", '"text"'])(
    "have no unknown field if the body is not an object: %s",
    async (body) => {
      await own.mock.assume({ "unknown-fields": "rejected" });
      expect(await detailsOf(own.mock.url, body)).toEqual([{ path: "", message: "must be object" }]);
    },
  );

  it("have the other problems of a body with a coerced id", async () => {
    await own.mock.assume({ "numeric-ids": "coerced" });
    expect(await detailsOf(own.mock.url, { user_group_id: 1, name: 5 })).toEqual([
      { path: "/name", message: "must be string" },
    ]);
  });
});

describe("numeric-ids=coerced", () => {
  it("rejects a number that lost digits, and values that are not numbers", async () => {
    await own.mock.assume({ "numeric-ids": "coerced" });
    const send = (id: string) => getOrCreate(own.mock.url, `{"user_group_id": ${id}, "name": "A"}`);
    for (const id of ["9007199254740993", "true"]) {
      const { status, body } = await send(id);
      expect([status, body.error.code]).toEqual([400, "invalid_body"]);
    }
    expect((await send("1.5")).body.user_group.provided_id).toBe("1.5");
  });

  it("stores text, also as the name of a group that is sent without one", async () => {
    await own.mock.assume({ "numeric-ids": "coerced", "name-on-create": "defaults-to-id" });
    const { user_group } = (await getOrCreate(own.mock.url, { user_group_id: 42 })).body;
    expect(user_group).toMatchObject({ provided_id: "42", name: "42" });
  });
});

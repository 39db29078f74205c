import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ValidateFunction } from "ajv";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { profileProblems, unknownPlaceholders } from "../../../src/fake/contract/profile-problems.js";
import { loadProfileValidator } from "../../../src/fake/contract/schemas.js";
import { startMock } from "../../../src/index.js";
import { call } from "../../call.js";
import { rejectionOf } from "../world/rejection.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-profile-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

/** A profile with rules for get-or-create. */
const rules = (given: object) => ({ accepts: { "get-or-create": given } });

describe("a profile", () => {
  let validate: ValidateFunction;
  beforeAll(async () => {
    validate = await loadProfileValidator();
  });

  it.each<[profile: unknown, path: string, message: RegExp]>([
    [5, "", /^must be object$/],
    [{ respones: {} }, "/respones", /; did you mean responses\?$/],
    [{ responses: { unautorized: {} } }, "/responses/unautorized", /; did you mean unauthorized\?$/],
    [{ responses: { fault: {} } }, "/responses/fault", /^is not a known field/],
    [{ responses: { created: { statuss: 201 } } }, "/responses/created/statuss", /; did you mean status\?$/],
    [{ responses: { created: { status: 404 } } }, "/responses/created/status", /from 200 to 299$/],
    [{ responses: { created: { status: 204 } } }, "/responses/created/status", /cannot be 204 or 205$/],
    [
      { responses: { not_found: { status: 304 } } },
      "/responses/not_found/status",
      /cannot be 204, 205 or 304$/,
    ],
    [{ responses: { not_found: { status: 600 } } }, "/responses/not_found/status", /from 200 to 599$/],
    [{ responses: { not_found: { status: "404" } } }, "/responses/not_found/status", /^must be integer$/],
    [{ responses: { found: { text: "x" } } }, "/responses/found/text", /^is not a known field/],
    [{ responses: { found: { body: [] } } }, "/responses/found/body", /^must be object$/],
    [
      { responses: { found: { body: { success: 2 } } } },
      "/responses/found/body/success",
      /can only add fields$/,
    ],
    [
      { responses: { found: { body: { new_user_group: 1 } } } },
      "/responses/found/body/new_user_group",
      /^is in the document/,
    ],
    [
      { responses: { rotated: { body: { user_group: { id: 1, token: "x" } } } } },
      "/responses/rotated/body/user_group/token",
      /^is in the document/,
    ],
    [
      { responses: { rotated: { body: { user_group: 1 } } } },
      "/responses/rotated/body/user_group",
      /^must be object$/,
    ],
    [
      { responses: { not_found: { body: 1, text: "x" } } },
      "/responses/not_found/text",
      /combined with body$/,
    ],
    [
      { responses: { not_found: { headers: { Date: "x" } } } },
      "/responses/not_found/headers/Date",
      /set by the mock$/,
    ],
    [
      { responses: { not_found: { headers: { "a b": "x" } } } },
      "/responses/not_found/headers/a b",
      /not a header name$/,
    ],
    [
      { responses: { not_found: { headers: { a: 1 } } } },
      "/responses/not_found/headers/a",
      /^must be string,null$/,
    ],
    [{ assume: { "old-tokens": "accepted" } }, "/assume/old-tokens", /; did you mean old-token\?$/],
    [
      { assume: { "old-token": "accept" } },
      "/assume/old-token",
      /^must be "rejected" or "accepted" or "previous"$/,
    ],
    [{ verified: { at: "now" } }, "/verified/at", /^is not a known field/],
    [{ accept: {} }, "/accept", /; did you mean accepts\?$/],
    [{ accepts: { "get-and-create": {} } }, "/accepts/get-and-create", /; did you mean get-or-create\?$/],
    [
      { accepts: { rotate: { properties: { current_token: {} } } } },
      "/accepts/rotate/properties/current_token",
      /; expected filename$/,
    ],
    [rules({ properties: { nmae: {} } }), "/accepts/get-or-create/properties/nmae", /; did you mean name\?$/],
    [
      rules({ properties: { name: { maxlength: 3 } } }),
      "/accepts/get-or-create/properties/name/maxlength",
      /; did you mean maxLength\?$/,
    ],
    [
      rules({ properties: { name: { maxLength: null } } }),
      "/accepts/get-or-create/properties/name/maxLength",
      /^must be integer$/,
    ],
    [
      rules({ properties: { name: { maxLength: -1 } } }),
      "/accepts/get-or-create/properties/name/maxLength",
      /^must be at least 0$/,
    ],
    [
      rules({ properties: { name: { type: "object" } } }),
      "/accepts/get-or-create/properties/name/type",
      /^must be string, number, integer, boolean or null, or a list of these$/,
    ],
    [
      rules({ properties: { user_group_id: { type: "null" } } }),
      "/accepts/get-or-create/properties/user_group_id/type",
      /^must be string, number, integer or boolean/,
    ],
    [
      rules({ properties: { mapping: { type: "text" } } }),
      "/accepts/get-or-create/properties/mapping/type",
      /^must be object, null, string, number, integer, boolean or array, or a list of these$/,
    ],
    [rules({ required: ["name"] }), "/accepts/get-or-create/required", /^must contain user_group_id$/],
    [
      rules({ required: ["user_group_id", "nam"] }),
      "/accepts/get-or-create/required/1",
      /^must be "user_group_id" or "name"/,
    ],
    [
      rules({ properties: { name: { pattern: "(" } } }),
      "/accepts/get-or-create/properties/name/pattern",
      /^Invalid regular expression/,
    ],
    [
      rules({ properties: { name: { enum: [] } } }),
      "/accepts/get-or-create/properties/name/enum",
      /^must NOT have fewer than 1 items$/,
    ],
    [
      rules({ properties: { mapping: { additionalProperties: { $ref: "file:///etc/passwd" } } } }),
      "/accepts/get-or-create/properties/mapping/additionalProperties/$ref",
      /^is not a known field; expected one of type, minLength/,
    ],
    [
      { responses: { not_found: { body: { id: "{number}" } } } },
      "/responses/not_found/body/id",
      /^\{number\} belongs to a group/,
    ],
    [
      { responses: { not_found: { text: "for {uuid}" } } },
      "/responses/not_found/text",
      /^\{uuid\} belongs to a group/,
    ],
    [
      { responses: { not_found: { body: { errors: [{ "{number}": 1 }] } } } },
      "/responses/not_found/body/errors/0/{number}",
      /^\{number\} belongs to a group/,
    ],
    [
      { responses: { created: { body: { user_group: { note: "no {field}" } } } } },
      "/responses/created/body/user_group/note",
      /^\{field\} names what is wrong in a body, so only a failure can have it$/,
    ],
  ])("is rejected with place and reason: %j", (profile, path, message) => {
    const problems = profileProblems(profile, validate);
    expect(problems).toMatchObject([{ path, message: expect.stringMatching(message) }]);
  });

  it("warns about words in braces that are sent as they are, also in the names of fields of a failure", () => {
    const body = { "{nmae}": 1, "{mapping}": "{mapping}", "{field}": ["{name}"] };
    expect(unknownPlaceholders({ responses: { invalid_body: { body } } })).toEqual([
      {
        path: "/responses/invalid_body/body/{nmae}",
        message: "{nmae} is sent as it is: it is not a placeholder; did you mean name?",
      },
      {
        path: "/responses/invalid_body/body/{mapping}",
        message: "{mapping} is sent as it is: it is a placeholder only as a whole value",
      },
    ]);
  });

  it("may add fields that the document shows in another response", () => {
    const body = { new_user_group: false, team_id: 3, user_group: { success: 1, id: "{user_group_id}" } };
    expect(profileProblems({ $schema: "x", responses: { rotated: { body } } }, validate)).toEqual([]);
  });

  it("with mistakes stops the start, with all of them, the file and the place of each", async () => {
    const file = write("wrong.json", {
      assume: { "old-tokens": "x" },
      responses: { foud: {}, created: { status: 404, headers: { Connection: "x" } } },
    });
    const { code, message } = await rejectionOf(startMock({ profile: file }));
    expect(code).toBe("invalid_profile");
    for (const place of [
      "/assume/old-tokens",
      "/responses/foud",
      "/responses/created/status",
      "/headers/Connection",
    ])
      expect(message).toContain(place);
    expect(
      message
        .split("\n")
        .slice(1)
        .every((line) => line.includes(file)),
    ).toBe(true);
    expect(message).toContain(`${file} /responses/foud: is not a known field; did you mean found?`);
  });

  it("is in the ledger: values with their source, responses and when it was verified", async () => {
    const profile = {
      verified: { against: "https://service.example", on: "2026-11-17" },
      assume: { "old-token": "accepted", "created-status": "201" } as const,
      responses: { found: { status: 203 } },
    };
    await using mock = await startMock({ profile, assume: { "created-status": "200" } });
    await mock.assume({ "api-tokens": "any" });
    const sources = Object.fromEntries((await mock.assumptions()).map(({ id, source }) => [id, source]));
    expect(sources).toMatchObject({
      "old-token": "profile",
      "created-status": "set",
      "api-tokens": "set",
      "group-scope": "default",
    });
    const { body } = await call("GET", `${mock.url}/__admin/assumptions`);
    expect([body.responses, body.verified]).toEqual([profile.responses, profile.verified]);
    await using other = await startMock({ profile: { responses: { created: { status: 202 } } } });
    const created = (await other.assumptions()).find(({ id }) => id === "created-status");
    expect(created?.source).toBe("profile");
    await mock.reset();
    expect((await call("GET", `${mock.url}/__admin/assumptions`)).body.responses).toEqual(profile.responses);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { profileProblems } from "../../../src/fake/contract/profile-problems.js";
import { loadProfileValidators, type ProfileValidators } from "../../../src/fake/contract/schemas.js";
import { type MockOptions, startMock } from "../../../src/index.js";
import { rejectionOf } from "../world/rejection.js";

type Row = readonly [situation: string, said: unknown, path: string, problem: string];

const otherPath = "other path";
const inSuccess = "belongs to a group, so only created, found and rotated can have it";
const inRejection = "names what is wrong in a body, so only a rejection can have it";

const words: readonly Row[] = [
  ["name: nul", "rejected", "", "is not a situation; did you mean name: null?"],
  ["Name: null", "rejected", "", "did you mean name: null?"],
  ["usergroup_id: long", "rejected", "", "did you mean user_group_id: long?"],
  ["trailing slsh", "rejected", "", "did you mean trailing slash?"],
  ["constructor", "rejected", "", "is not a situation"],
  [
    "name: null",
    "ignored",
    "",
    'must be "rejected", "accepted", "empty" or a response (status, headers, body or text)',
  ],
  [otherPath, "accepted", "", 'must be "rejected" or a response (status, headers, body or text)'],
  ["name: long", "rejected", "", 'must be "accepted" or an object with over'],
  ["name: short", 3, "", 'must be "accepted" or an object with under'],
  ["name: characters", "a-z", "", 'must be "accepted" or an object with characters'],
  [
    "several problems",
    "last",
    "",
    'must be "first", "types first", "all", "types first then all" or "id first then all"',
  ],
  ["new id: capitals", "rejected", "", 'must be "kept" or "lower case"'],
  ["created", "accepted", "", "must be an object with status, headers or body"],
  ["every response", "accepted", "", "must be an object with headers"],
  ["gzip", ["accepted"], "", 'must be "accepted", "rejected" or a response'],
  ["gzip", null, "", 'must be "accepted", "rejected" or a response'],
  ["name: null", { outcome: "kept" }, "/outcome", 'must be "rejected" or "accepted" or "empty"'],
  ["several problems", { outcome: "last" }, "/outcome", 'or "types first then all" or "id first then all"'],
  ["several problems", {}, "/outcome", "is required"],
  ["gzip", { outcome: "accepted", because: 5 }, "/because", "must be string"],
  ["gzip", { outcome: "accepted", status: 415 }, "", 'has a response, which only "rejected" can have'],
  ["gzip", { outcome: "accepted", body: null }, "", 'has a response, which only "rejected" can have'],
  [otherPath, { staus: 400 }, "/staus", "did you mean status?"],
  ["created", { text: "made" }, "/text", "is not a known field"],
  ["created", { outcome: "rejected" }, "/outcome", "is not a known field"],
  ["every response", { status: 200 }, "/status", "is not a known field"],
];

const limits: readonly Row[] = [
  ["name: long", { status: 400 }, "", "must have over: what is accepted"],
  ["name: short", {}, "", "must have under: what is accepted"],
  ["name: characters", { outcome: "rejected" }, "", "must have characters: what is accepted"],
  ["name: null", { over: 5 }, "/over", "does not belong to this situation"],
  ["name: long", { over: 5, under: 3 }, "/under", "does not belong to this situation"],
  ["name: short", { under: 5, characters: "a-z" }, "/characters", "does not belong to this situation"],
  ["name: long", { over: -1 }, "/over", "must be"],
  ["name: long", { over: 1.5 }, "/over", "must be integer"],
  ["name: short", { under: 0 }, "/under", "must be"],
  ["name: characters", { characters: 5 }, "/characters", "must be string"],
  [
    "name: characters",
    { characters: "a-z ab" },
    "/characters",
    '"ab" is not a word; expected a range such as',
  ],
  ["name: characters", { characters: "z-a" }, "/characters", '"z-a" is not a word'],
  ["name: characters", { characters: "_-a" }, "/characters", '"_-a" is not a word'],
  ["name: characters", { characters: "é" }, "/characters", '"é" is not a word'],
  ["name: characters", { characters: "Space" }, "/characters", '"Space" is not a word'],
  ["name: characters", { characters: "a ".repeat(501) }, "/characters", "must NOT have more than 1000"],
];

const responses: readonly Row[] = [
  ...[199, 600, 400.5, "400"].map((status): Row => [otherPath, { status }, "/status", "must be"]),
  ...[204, 205, 304].map((status): Row => [otherPath, { status }, "/status", "must have a body"]),
  ...[300, 404].map((status): Row => ["created", { status }, "/status", "must be"]),
  ...[204, 205].map((status): Row => ["rotated", { status }, "/status", "must have a body"]),
  [otherPath, { body: {}, text: "x" }, "/text", "cannot be combined with body"],
  [otherPath, { text: 5 }, "/text", "must be string"],
  ["created", { body: [] }, "/body", "must be object"],
  ["created", { body: { user_group: 5 } }, "/body/user_group", "must be object"],
  [otherPath, { headers: { "X-A": 5 } }, "/headers/X-A", "must be string"],
  [otherPath, { headers: { "X A": "5" } }, "/headers/X A", "is not a header name"],
  [
    otherPath,
    { headers: { "X-A": "a\nb" } },
    "/headers/X-A",
    "must be Latin-1 text without control characters",
  ],
  ...(
    "Date Content-Length Content-Encoding Transfer-Encoding Connection Keep-Alive Trailer Upgrade " +
    "Access-Control-Allow-Origin Usergroup-Mock-Request usergroup-mock-other X-Content-Type-Options"
  )
    .split(" ")
    .map((name): Row => [otherPath, { headers: { [name]: "x" } }, `/headers/${name}`, "is set by the mock"]),
  ["found", { headers: { date: null } }, "/headers/date", "is set by the mock"],
  ["every response", { headers: { connection: "close" } }, "/headers/connection", "is set by the mock"],
  ...["success", "new_user_group"].map(
    (field): Row => ["created", { body: { [field]: 1 } }, `/body/${field}`, "is in the document"],
  ),
  ["rotated", { body: { success: 2 } }, "/body/success", "is in the document"],
  ...["team_id", "token", "name", "provided_id"].map(
    (field): Row => [
      "rotated",
      { body: { user_group: { [field]: 1, more: 2 } } },
      `/body/user_group/${field}`,
      "is in the document; a profile can only add fields",
    ],
  ),
];

const misplaced: readonly Row[] = [
  [otherPath, { text: "no {number}" }, "/text", `{number} ${inSuccess}`],
  [otherPath, { body: { a: ["{uuid}"] } }, "/body/a/0", `{uuid} ${inSuccess}`],
  [otherPath, { body: { "a {number}": 1 } }, "/body/a {number}", `{number} ${inSuccess}`],
  [otherPath, { headers: { Location: "/{uuid}" } }, "/headers/Location", `{uuid} ${inSuccess}`],
  ["created", { body: { wrong: "{field}" } }, "/body/wrong", `{field} ${inRejection}`],
  ["found", { headers: { "X-A": "{field}" } }, "/headers/X-A", `{field} ${inRejection}`],
];

describe("a profile", () => {
  let validators: ProfileValidators;
  beforeAll(async () => {
    validators = await loadProfileValidators();
  });

  it.each([...words, ...limits, ...responses, ...misplaced])(
    "cannot have %s: %j",
    (id, said, path, problem) => {
      expect(profileProblems({ situations: { [id]: said } }, validators)).toEqual([
        { path: `/situations/${id}${path}`, message: expect.stringContaining(problem) },
      ]);
    },
  );

  it.each<[profile: unknown, path: string, problem: string]>([
    [[], "", "must be object"],
    ["profile.json", "", "must be object"],
    [{ situatons: {} }, "/situatons", "did you mean situations?"],
    [{ situations: [] }, "/situations", "must be object"],
    [{ assume: { "old-token": "accepted" } }, "/assume", "is not a known field"],
    [{ verified: { against: 5 } }, "/verified/against", "must be string"],
    [{ verified: { at: "2026-11-19" } }, "/verified/at", "is not a known field"],
  ])("cannot be %j", (profile, path, problem) => {
    expect(profileProblems(profile, validators)).toEqual([
      { path, message: expect.stringContaining(problem) },
    ]);
  });

  it.each<[situation: string, said: unknown]>([
    ["gzip", { outcome: "rejected", because: "seen", status: 415, body: [1] }],
    ["name: characters", { characters: "a-z A-Z 0-9 _ . - space other ~", text: "" }],
    ["name: long", { over: 0 }],
    ["existing group: other name", "accepted"],
    ["rotated", { status: 299, body: { new_user_group: 1, user_group: { id: "{number}" } } }],
    ["created", { headers: { "X-A": "é", "Content-Type": null } }],
    ["name: number", { status: 200, body: { "{field}": "{name} {8} {}" } }],
  ])("can have %s: %j", (id, said) => {
    expect(profileProblems({ situations: { [id]: said } }, validators)).toEqual([]);
  });
});

describe("profiles with problems", () => {
  const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-profiles-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("stop the start with all problems of all of them at once: file, place and reason", async () => {
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const broken = write("broken.json", '{ "situations": ');
    const wrong = write(
      "wrong.json",
      JSON.stringify({
        more: 1,
        situations: {
          "a/b~c": "rejected",
          "name: null": { over: 1, headers: { Date: null, "X-A": 5 } },
          "name: number": "x",
        },
      }),
    );
    // TypeScript would reject it.
    const given = { situations: { gzip: "never" } } as unknown as MockOptions["profile"] & object;
    const profile = [broken, wrong, join(folder, "missing.json"), given] as MockOptions["profile"] & object;
    const { code, details, message } = await rejectionOf(startMock({ profile }));
    expect(code).toBe("invalid_profile");
    expect(details.map(({ file = "", path }) => `${file.replace(`${folder}/`, "")} ${path}`)).toEqual([
      "broken.json ",
      "wrong.json /more",
      "wrong.json /situations/a~1b~0c",
      "wrong.json /situations/name: null/headers/X-A",
      "wrong.json /situations/name: number",
      "missing.json ",
      "the given profile /situations/gzip",
    ]);
    for (const { path, message: problem } of details) expect(message).toContain(`${path}: ${problem}`.trim());
  });
});

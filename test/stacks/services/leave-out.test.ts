import { expect, it } from "vitest";
import { checkMechanism, leaveOut } from "./leave-out.mjs";

const profile = {
  situations: {
    "no API token": { status: 403, headers: { "WWW-Authenticate": null }, body: { message: "Forbidden" } },
    "user_group_id: number": "rejected",
    "name: long": { over: 120, status: 422, body: { message: "{name} is too long" } },
    "name: characters": { characters: "a-z", status: 422 },
    "several problems": "all",
  },
};

it.for([
  ["headers", "no API token", { status: 403, body: { message: "Forbidden" } }],
  ["lengths", "name: long", undefined],
  ["characters", "name: characters", undefined],
  ["likeness", "user_group_id: number", { status: 400 }],
  ["placeholders", "name: long", { over: 120, status: 422, body: { message: "example is too long" } }],
  ["several problems", "several problems", undefined],
] as const)("leaves %s out of a profile, and nothing else", ([mechanism, row, expected]) => {
  const { [row]: before, ...others } = profile.situations;
  const { [row]: after, ...othersAfter } = leaveOut(profile, mechanism).situations;
  expect(after).toEqual(expected);
  expect(othersAfter).toEqual(others);
});

it("rejects a mechanism that does not exist", () => {
  expect(() => checkMechanism("secrets")).toThrow("No mechanism secrets. There are placeholders, headers");
});

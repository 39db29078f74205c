import { describe, expect, it } from "vitest";
import { isNameTaken } from "../../../../src/lab/verify/ask/name-taken.js";
import type { TakenName } from "../../../../src/lab/verify/service/group-client.js";
import { responseWith } from "../seen-responses.js";

const rejectedAs = (message: string, status = 200) => responseWith({ status, body: { success: 0, message } });

describe("a name that an earlier run has used", () => {
  const taken = (message: string, status = 200): TakenName => ({
    name: "ugm-aaaaaa 2",
    rejection: rejectedAs(message, status),
  });
  const inUse = taken('Name "ugm-aaaaaa 2" is in use by ugm-aaaaaa-1');

  it.each([
    ["as it was sent", inUse, rejectedAs('Name "true" is in use by ugm-bbbbbb-77')],
    ["in another form", inUse, rejectedAs('Name "True" is in use by ugm-bbbbbb-77')],
    ["as nothing", inUse, rejectedAs('Name "" is in use by ugm-bbbbbb-77')],
    ["not at all", taken("in use since 12:01"), rejectedAs("in use since 9:40")],
    ["with the id of the request", taken("in use (5f2c-a1)"), rejectedAs("in use (b00c-9d)")],
  ])("is noticed if the rejection shows it %s", (_, known, response) => {
    expect(isNameTaken(known, response)).toBe(true);
  });

  it.each([
    ["a mistake in the same words", inUse, rejectedAs('Name "true" is not a string')],
    ["a mistake about the end of it", inUse, rejectedAs('No name "true" is in use by ugm-bbbbbb-77')],
    ["a mistake in other words", taken("in use"), rejectedAs("in use by nobody")],
    ["a mistake with the same status", taken("in use", 409), rejectedAs("must be a string", 409)],
    ["another status", inUse, rejectedAs('Name "true" is in use by ugm-bbbbbb-77', 400)],
    ["a service that allows it", undefined, rejectedAs("in use")],
  ])("is not %s", (_, known, response) => {
    expect(isNameTaken(known, response)).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { readResponse } from "../../../src/lab/verify/recorded.js";
import { isNameTaken } from "../../../src/lab/verify/variations.js";

const rejected = (message: string, status = 200) =>
  readResponse({
    status,
    headers: { "content-type": "application/json" },
    text: JSON.stringify({ success: 0, message }),
  });

describe("a name that an earlier run has used", () => {
  const taken = (message: string, status = 200) => ({
    takenName: { name: "ugm-aaaaaa 2", response: rejected(message, status) },
  });
  const inUse = taken('Name "ugm-aaaaaa 2" is in use by ugm-aaaaaa-1');

  it.each([
    ["as it was sent", inUse, rejected('Name "true" is in use by ugm-bbbbbb-77')],
    ["in another form", inUse, rejected('Name "True" is in use by ugm-bbbbbb-77')],
    ["as nothing", inUse, rejected('Name "" is in use by ugm-bbbbbb-77')],
    ["not at all", taken("in use since 12:01"), rejected("in use since 9:40")],
    ["with the id of the request", taken("in use (5f2c-a1)"), rejected("in use (b00c-9d)")],
  ])("is noticed if the rejection shows it %s", (_, service, response) => {
    expect(isNameTaken(service, response)).toBe(true);
  });

  it.each([
    ["a mistake in the same words", inUse, rejected('Name "true" is not a string')],
    ["a mistake about the end of it", inUse, rejected('No name "true" is in use by ugm-bbbbbb-77')],
    ["a mistake in other words", taken("in use"), rejected("in use by nobody")],
    ["a mistake with the same status", taken("in use", 409), rejected("must be a string", 409)],
    ["another status", inUse, rejected('Name "true" is in use by ugm-bbbbbb-77', 400)],
    ["a service that allows it", { takenName: undefined }, rejected("in use")],
  ])("is not %s", (_, service, response) => {
    expect(isNameTaken(service, response)).toBe(false);
  });
});

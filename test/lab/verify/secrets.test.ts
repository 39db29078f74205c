import { expect, it } from "vitest";
import { Secrets } from "../../../src/lab/verify/secrets.js";

// Words without the digits 1 to 9, which are hidden because of their form otherwise.
const apiToken = "tttttttttttt";
const base64 = (text: string) => Buffer.from(text).toString("base64");

it.each(["", "x", "xx"])("hides base64 of an API token after %j", (before) => {
  const sent = base64(`${before}${apiToken}`);
  expect(sent).not.toMatch(/[1-9]/);
  const hidden = new Secrets([apiToken]).hide(`from ${sent} on`);
  expect(hidden).toMatch(/^from .{0,4}example.{0,4} on$/);
});

it("hides base64 of the token of a group", () => {
  const secrets = new Secrets([]);
  secrets.add("group-token");
  const sent = base64("group-token");
  expect(sent).not.toMatch(/[\w-]{16}/);
  expect(secrets.hide(`from ${sent} on`)).toBe("from example= on");
});

it("hides the token of a group in a text that it has seen before", () => {
  const secrets = new Secrets([]);
  expect(secrets.hide("from group-token on")).toBe("from group-token on");
  secrets.add("group-token");
  expect(secrets.hide("from group-token on")).toBe("from example on");
});

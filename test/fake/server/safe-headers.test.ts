import { expect, it } from "vitest";
import { makeSafe } from "../../../src/fake/server/send-response.js";

it("a text without a Content-Type, which only a profile can send, cannot run scripts", () => {
  const headers = { "Cache-Control": "no-store" };
  makeSafe(headers, true);
  expect(headers).toEqual({
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox",
  });
});

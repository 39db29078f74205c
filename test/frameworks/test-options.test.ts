import { expect, it } from "vitest";
import { readServerOptions } from "../../src/frameworks/test-options.js";

// test/consumers/set-ups.ts tries the checks after each test.
it("the options of a framework import reject set, because each test has its own world", () => {
  expect(() => readServerOptions({ set: { API_URL: "{url}" } })).toThrow("use the set-up of this framework");
});

import { describe, expect, it } from "vitest";
import { checkWorld, readTestOptions } from "../../src/frameworks/test-options.js";
import { startMock } from "../../src/mock/start-mock.js";
import { call } from "../call.js";

describe("the options of a framework entry", () => {
  it("are those of the server, and what is checked after each test", () => {
    expect(readTestOptions({ seed: "s", assertFaultsFired: true })).toEqual({
      server: { seed: "s" },
      checks: { assertFaultsFired: true, assertNoFailures: false },
    });
  });

  it("may not have set: a test of an entry has a world of its own, and set has the URL of another one", () => {
    expect(() => readTestOptions({ set: { API_URL: "{url}" } })).toThrow("use the set-up of this framework");
  });
});

describe("the checks after a test", () => {
  it("check what they are asked to check, and nothing else", async () => {
    await using mock = await startMock();
    await mock.fault({ status: 503 });
    await call("GET", `${mock.url}/nowhere`);
    await checkWorld(mock, {});
    await expect(checkWorld(mock, { assertFaultsFired: true })).rejects.toThrow("did not fire");
    await expect(checkWorld(mock, { assertNoFailures: true })).rejects.toThrow("1 of 1 call failed");
  });
});

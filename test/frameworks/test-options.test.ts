import { describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { checkWorld, readTestOptions } from "../../src/frameworks/test-options.js";
import { call } from "../call.js";

describe("readTestOptions", () => {
  it("splits the options of the server from the checks after each test", () => {
    expect(readTestOptions({ seed: "s", assertFaultsFired: true })).toEqual({
      server: { seed: "s" },
      checks: { assertFaultsFired: true, assertNoFailures: false },
    });
  });

  it("rejects set, because each test has its own world", () => {
    expect(() => readTestOptions({ set: { API_URL: "{url}" } })).toThrow("use the set-up of this framework");
  });
});

describe("checkWorld", () => {
  it("runs only the checks that are switched on", async () => {
    await using mock = await startMock();
    await mock.fault({ status: 503 });
    await call("GET", `${mock.url}/nowhere`);
    await checkWorld(mock, {});
    await expect(checkWorld(mock, { assertFaultsFired: true })).rejects.toThrow("did not fire");
    await expect(checkWorld(mock, { assertNoFailures: true })).rejects.toThrow("1 of 1 request failed");
  });
});

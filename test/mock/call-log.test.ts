import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { reportDefect } from "../../src/mock/call-log.js";
import { startMock } from "../../src/mock/start-mock.js";
import { call } from "../call.js";
import { seededToken } from "../seeded.js";

describe("a defect of the mock", () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  afterEach(() => write.mockClear());
  afterAll(() => write.mockRestore());
  const reported = (defect: unknown) => {
    reportDefect(defect);
    return write.mock.calls.map(([text]) => text).join("");
  };

  it("is told on standard error with its stack, and what to do with it", () => {
    expect(reported(new Error("broken"))).toMatch(
      /^usergroup-mock: a defect of the mock, please report it: Error: broken\n +at .*\n$/s,
    );
  });

  it.each([
    [undefined, "undefined"],
    [null, "null"],
    ["text", "text"],
    [{ message: "no error" }, "[object Object]"],
  ])("may be anything that can be thrown: %j", (defect, words) => {
    expect(reported(defect)).toBe(`usergroup-mock: a defect of the mock, please report it: ${words}\n`);
  });
});

describe("the log of calls", () => {
  it.each([
    ["/api/user/test-api-token", "/api/user/…"],
    [`/api/user/${seededToken}`, "/api/user/…"],
    [`/worlds/${seededToken}/api/user`, "/api/user"],
    ["/worlds/test-api-token/api/user", "/api/user"],
    ["/api/user;token=test-api-token&x", "/api/user;token=…&x"],
    ["/api/user?token=test-api-token", "/api/user"],
    ["/api/users/7", "/api/users/7"],
  ])("shows no token that somebody put into a path: %s", async (path, shown) => {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    try {
      for (const log of ["json", "pretty"] as const) {
        await using mock = await startMock({ log });
        await call("GET", `${mock.url}${path}`);
      }
      const printed = write.mock.calls.map(([text]) => String(text)).join("");
      expect(printed).toContain(`"path":"${shown}"`);
      expect(printed).toContain(` GET ${shown} `);
      expect(printed).not.toMatch(/test-api-token|[0-9a-f]{64}/);
    } finally {
      write.mockRestore();
    }
  });
});

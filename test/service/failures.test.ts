import { describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { call, create } from "../call.js";

describe("a failure", () => {
  it("names its assumptions in the response of a fault too", async () => {
    await using mock = await startMock();
    await mock.fault({ status: 503 });
    expect((await create(mock.url)).headers["usergroup-mock-assumed"]).toBe("failure-body=error-object");
  });

  it("has status 200 with failure-status=always-200, but only at /api/user", async () => {
    await using mock = await startMock({
      assume: { "failure-status": "always-200", "failure-body": "bare" },
    });
    for (const method of ["GET", "POST", "PUT"]) {
      const { status, body, headers } = await call(method, `${mock.url}/api/user`, "{");
      expect([status, body]).toEqual([200, { success: 0 }]);
      expect(headers).not.toHaveProperty("www-authenticate");
    }
    const { status, body } = await call("GET", `${mock.url}/api/users`);
    expect([status, body.error.code]).toEqual([404, "not_found"]);
  });
});

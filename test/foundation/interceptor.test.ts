import http from "node:http";
import { describe, expect, it } from "vitest";
import { activeInterceptor } from "../../src/foundation/interceptor.js";

// What nock 13 and 14 and msw 2 leave in a process. test/stacks/interceptors.test.ts has the real ones.
describe("a tool that intercepts requests", () => {
  it("is not seen where there is none", () => {
    expect(activeInterceptor()).toBeUndefined();
  });

  it("is nock when the class of requests is its own", () => {
    const { ClientRequest } = http;
    Object.assign(http, { ClientRequest: class OverriddenClientRequest {} });
    try {
      expect(activeInterceptor()).toBe("nock");
    } finally {
      Object.assign(http, { ClientRequest });
    }
  });

  it.each(["client-request-interceptor", "fetch-interceptor"])("is msw when there is a global %s", (name) => {
    const key = Symbol.for(name);
    Reflect.set(globalThis, key, {});
    try {
      expect(activeInterceptor()).toBe("msw");
    } finally {
      Reflect.deleteProperty(globalThis, key);
    }
  });
});

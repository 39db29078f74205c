import http from "node:http";
import { describe, expect, it } from "vitest";
import { activeInterceptor } from "../../src/frameworks/interceptor.js";

// Imitates nock 13 and 14 and msw 2. test/stacks/interceptors.test.ts uses the real ones.
describe("activeInterceptor", () => {
  it("returns undefined without an interceptor", () => {
    expect(activeInterceptor()).toBeUndefined();
  });

  it("detects nock by the name of the ClientRequest class", () => {
    const { ClientRequest } = http;
    Object.assign(http, { ClientRequest: class OverriddenClientRequest {} });
    try {
      expect(activeInterceptor()).toBe("nock");
    } finally {
      Object.assign(http, { ClientRequest });
    }
  });

  it.each(["client-request-interceptor", "fetch-interceptor"])(
    "detects msw by the global symbol %s",
    (name) => {
      const key = Symbol.for(name);
      Reflect.set(globalThis, key, {});
      try {
        expect(activeInterceptor()).toBe("msw");
      } finally {
        Reflect.deleteProperty(globalThis, key);
      }
    },
  );
});

import http from "node:http";
import { describe, expect, it } from "vitest";
import { interceptorHint } from "../../src/frameworks/interceptor.js";

// Imitates nock 13 and 14 and msw 2. test/stacks/interceptors.test.ts uses the real ones.
describe("interceptorHint", () => {
  it("returns nothing without an interceptor", () => {
    expect(interceptorHint()).toBe("");
  });

  it("detects nock by the name of the ClientRequest class", () => {
    const { ClientRequest } = http;
    Object.assign(http, { ClientRequest: class OverriddenClientRequest {} });
    try {
      expect(interceptorHint()).toContain("nock is active");
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
        expect(interceptorHint()).toContain("msw is active");
      } finally {
        Reflect.deleteProperty(globalThis, key);
      }
    },
  );
});

import { describe, expect, it } from "vitest";
import { isLoopback } from "../../../src/fake/server/guard.js";

describe("addresses", () => {
  it.each(["localhost", "LocalHost", "::1", "127.0.0.1", "127.12.255.10"])(
    "isLoopback is true for %s",
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  it.each([
    "",
    "::",
    "0.0.0.0",
    "10.127.0.0.1",
    "127.0.0.1.example",
    "127.0.0",
    "localhost.test",
    "192.168.0.7",
  ])("isLoopback is false for %j", (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { isLoopback, urlAt } from "../../src/server/address.js";

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

  it.each([
    ["127.0.0.1", false, "http://127.0.0.1:80"],
    ["127.0.0.1", true, "https://127.0.0.1:80"],
    ["0.0.0.0", false, "http://127.0.0.1:80"],
    ["::", false, "http://[::1]:80"],
    ["fe80::1", true, "https://[fe80::1]:80"],
    ["localhost", false, "http://localhost:80"],
  ])("urlAt makes a URL of %s", (host, isSecure, url) => {
    expect(urlAt(host, 80, isSecure)).toBe(url);
  });
});

import { describe, expect, it } from "vitest";
import { maskBody, maskedToken, namesSecret } from "../../../../src/fake/world/journal/mask.js";

const hex = "0123456789abcdef".repeat(4);

describe("masks", () => {
  it("show the last four characters of a long token", () => {
    expect(maskedToken("0123456789abcdef")).toBe("********cdef");
    expect(maskedToken("0123456789abcde")).toBe("********");
    expect(maskedToken("two 0123456789abcdef")).toBe("********");
    expect(maskedToken("0123456789abcdef two")).toBe("********");
  });

  it.each([
    ['{"current_token":"abc"}', '{"current_token":"********"}'],
    ['{"current_token":"mine"}', '{"current_token":"mine"}'],
    ['{"properties":{"apiKey":"abc","n":1}}', '{"properties":{"apiKey":"********","n":1}}'],
    ['{"current_token": "abc", broken', '{"current_token": "********", broken'],
    ['{"current_token": "cut of', '{"current_token": "********'],
    ['{"name": "abc"', '{"name": "abc"'],
    ['{"name":"a \\"token\\": \\"b","token":"c"}', '{"name":"a \\"token\\": \\"b","token":"********"}'],
    ['{"name":"\\\\","token" : "a\\"b"}', '{"name":"\\\\","token" : "********"}'],
    [`{"name":"a ${hex} b ${hex}"}`, '{"name":"a ********cdef b ********cdef"}'],
    [`{"name":"${"x".repeat(64)}"}`, `{"name":"${"x".repeat(64)}"}`],
  ])("hide secrets in %s", (text, shown) => {
    expect(maskBody(text, (token) => token === "mine")).toBe(shown);
  });

  it("hide a secret in deeply nested JSON", () => {
    const deep = `${"[".repeat(50_000)}{"token":"abc"}${"]".repeat(50_000)}`;
    expect(maskBody(deep, () => false)).not.toContain("abc");
  });
});

describe("the name of a header or field", () => {
  it.each([
    ...["authorization", "cookie", "set-cookie", "TOKEN", "x-token-id", "secret", "passwd", "x-password"],
    ...["passphrase", "pwd", "credential", "x-credentials", "session", "jwt", "bearer", "dpop", "signature"],
    ...["api", "access", "auth", "private", "subscription"].flatMap((kind) => [
      `${kind}key`,
      `${kind}-key`,
      `x-${kind}_key`,
    ]),
    ...["auth", "pass", "dsn"].flatMap((word) => [
      word,
      `x-${word}`,
      `x_${word}`,
      `${word}-x`,
      `a_${word}_b`,
    ]),
  ])("suggests a secret: %s", (name) => {
    expect(namesSecret(name)).toBe(true);
  });

  it.each([
    ...["author", "x-author", "coauth", "compass", "pass1", "bypass-x", "x-passage", "api", "key"],
    ...["api--key", "apixkey", "x-private", "auths-key", "host", "accept"],
  ])("does not suggest a secret: %s", (name) => {
    expect(namesSecret(name)).toBe(false);
  });
});

import { expect, it } from "vitest";
import { decodeText } from "../../../../src/lab/verify/text/decode-text.js";
import { isSecretField, quotedFieldValues } from "../../../../src/lab/verify/text/secret-fields.js";

it("a field of a request is no secret, and other fields are if their name suggests it", () => {
  expect(["current_token", "user_group_id", "page"].filter(isSecretField)).toEqual([]);
  const names = ["token", "API-Key", "x_password", "Set-Cookie", "auth"];
  expect(names.filter(isSecretField)).toEqual(names);
});

it("the value of a field is taken from the first text that has its name between quotes", () => {
  const original = String.raw`{\"password\":\"ab\\\"cd\"}`;
  const texts = decodeText(original);
  expect(texts.map(({ text }) => text)).toEqual([
    original,
    String.raw`{"password":"ab\"cd"}`,
    '{"password":"ab"cd"}',
  ]);
  const values = quotedFieldValues(texts).map(({ from, to }) => original.slice(from, to));
  expect(values).toEqual([String.raw`ab\\\"cd`]);
});

it("a value that ends with a backslash does not go on in a later text", () => {
  const original = String.raw`{"password":"ab\\","a":"b","c":"%64"}`;
  const values = quotedFieldValues(decodeText(original)).map(({ from, to }) => original.slice(from, to));
  expect(values).toEqual([String.raw`ab\\`]);
});

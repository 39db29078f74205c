import { expect, it } from "vitest";
import { decodeText } from "../../../../src/lab/verify/text/decode-text.js";

const decoded = (text: string) => decodeText(text).at(-1)?.text;

it.each([
  ["JSON", '\\u0061\\/\\"\\\\', 'a/"\\'],
  ["capitals in JSON", "\\u004A\\u004a", "JJ"],
  ["JavaScript", "\\x61\\'", "a'"],
  ["percent-encoding", "%61%2F%2f", "a//"],
  ["hexadecimal HTML", "&#x61;&#X2f;&#x0000062;", "a/b"],
  ["hexadecimal HTML without a semicolon", "&#x2F ", "/ "],
  ["decimal HTML", "&#97;&#047;&#47 ", "a// "],
  ["names of HTML", "&amp;&lt;&gt;&quot;&apos;&sol;&AMP;", "&<>\"'/&"],
])("escapes are decoded: %s", (_, text, expected) => {
  expect(decodeText(text)[1]?.text).toBe(expected);
});

it.each(["text", "100 % of it", "\\n", "&unknown;", "&#x1F600;", "\\ud83d", "%zz", ""])(
  "what is no escape of a character of a token stays: %j",
  (text) => {
    expect(decodeText(text).map((one) => one.text)).toEqual([text]);
  },
);

it("escapes of escapes are decoded, three times", () => {
  expect(decodeText("%2525252F").map(({ text }) => text)).toEqual(["%2525252F", "%25252F", "%252F", "%2F"]);
  expect(decoded("\\u0026quot;")).toBe('"');
});

it("each character knows where it began, through all passes", () => {
  const text = "&amp;a%2541b";
  const passes = decodeText(text);
  expect(passes.map((one) => one.text)).toEqual([text, "&a%41b", "&aAb"]);
  expect(passes.map(({ starts }) => starts && [...starts])).toEqual([
    undefined,
    [0, 5, 6, 9, 10, 11, 12],
    [0, 5, 6, 11, 12],
  ]);
});

import { describe, expect, it } from "vitest";
import { printable } from "../../src/foundation/printable.js";

describe("printable", () => {
  it("keeps visible characters", () => {
    const text = 'Grüße, 東京, 🎉 "quoted" \\ back';
    expect(printable(text)).toBe(text);
  });

  it.each([
    ["an escape sequence of a terminal", "\u001b[2J", "\\u001b[2J"],
    ["an escape sequence in one C1 character", "\u009b2J", "\\u009b2J"],
    ["a new line", "a\r\nb", "a\\u000d\\u000ab"],
    ["a line separator", "a\u2028b", "a\\u2028b"],
    ["a change of direction", "\u202ecba", "\\u202ecba"],
    ["an invisible character beyond 16 bits", "\u{e0061}1", "\\udb40\\udc611"],
    ["a character that XML cannot have", "a\ufffe\uffffb", "a\\ufffe\\uffffb"],
    ["half a surrogate pair", "a\ud83cb", "a\\ud83cb"],
    ["the end of a CDATA section", "[[1]]>2", "[[1]]\\u003e2"],
  ])("escapes %s", (_, text, shown) => {
    expect(printable(text)).toBe(shown);
    expect(JSON.parse(`"${shown}"`)).toBe(text);
  });

  it("escapes every control character, and every one that changes the direction of text or ends a line", () => {
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
    const codes = [
      ...range(0x00, 0x1f),
      ...range(0x7f, 0x9f),
      ...range(0x202a, 0x202e),
      ...range(0x2066, 0x2069),
      ...[0x061c, 0x200e, 0x200f, 0x2028, 0x2029],
    ];
    const text = String.fromCharCode(...codes);
    expect(printable(text)).toMatch(/^[ -~]*$/);
    expect(JSON.parse(`"${printable(text)}"`)).toBe(text);
  });
});

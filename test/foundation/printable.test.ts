import { describe, expect, it } from "vitest";
import { printable } from "../../src/foundation/printable.js";

describe("text from elsewhere", () => {
  it("stays as it is when it only has characters that are seen", () => {
    const text = 'Grüße, 東京, 🎉 "quoted" \\ back';
    expect(printable(text)).toBe(text);
  });

  it.each([
    ["the start of a terminal command", "\u001b[2J", "\\u001b[2J"],
    ["the same in one character of C1", "\u009b2J", "\\u009b2J"],
    ["a new line", "a\r\nb", "a\\u000d\\u000ab"],
    ["a line separator", "a\u2028b", "a\\u2028b"],
    ["a change of direction", "\u202ecba", "\\u202ecba"],
    ["an invisible letter beyond 16 bits", "\u{e0061}1", "\\udb40\\udc611"],
  ])("shows an escape for %s", (_, text, shown) => {
    expect(printable(text)).toBe(shown);
    expect(JSON.parse(`"${shown}"`)).toBe(text);
  });
});

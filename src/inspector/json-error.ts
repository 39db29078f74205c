const blanks = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings.
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;
const plainValue = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type ExpectedNext = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma or end";

/**
 * The index of the first character that is not valid JSON, or the length of a text that ends too early. Errors of
 * `JSON.parse` have a position only in some browsers.
 */
export function jsonErrorAt(text: string): number | undefined {
  const open: ("{" | "[")[] = [];
  let expected: ExpectedNext = "value";
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? "";
    at += found.length;
    return found;
  };
  while (true) {
    take(blanks);
    const character: string | undefined = text[at];
    const inside = open.at(-1);
    if (character === undefined) return expected === "comma or end" && inside === undefined ? undefined : at;
    if (expected === "colon") {
      if (character !== ":") return at;
      at++;
      expected = "value";
    } else if (expected === "comma or end") {
      if (character === "," && inside !== undefined) expected = inside === "{" ? "key" : "value";
      else if (character === (inside === "{" ? "}" : "]") && inside !== undefined) open.pop();
      else return at;
      at++;
    } else if (
      (expected === "key or }" && character === "}") ||
      (expected === "value or ]" && character === "]")
    ) {
      open.pop();
      at++;
      expected = "comma or end";
    } else if (character === '"') {
      take(string);
      if (text[at] !== '"') return at;
      at++;
      expected = expected.startsWith("key") ? "colon" : "comma or end";
    } else if (expected.startsWith("key")) {
      return at;
    } else if (character === "{" || character === "[") {
      open.push(character);
      at++;
      expected = character === "{" ? "key or }" : "value or ]";
    } else {
      if (take(plainValue) === "") return at;
      expected = "comma or end";
    }
  }
}

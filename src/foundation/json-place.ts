/** Where a text stops being JSON; undefined when it does not. Older versions of Node do not say it. */
export function placeOfSyntaxError(text: string): { line: number; column: number } | undefined {
  const index = wrongCharacter(text);
  if (index === undefined) return undefined;
  const lines = text.slice(0, index).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

function wrongCharacter(text: string): number | undefined {
  const open: string[] = [];
  let expected: "value" | "value or ]" | "name" | "name or }" | ":" | "next" = "value";
  for (let i = 0; ; ) {
    while (" \t\r\n".includes(text[i] ?? "x")) i++;
    const character = text[i];
    const isClosing =
      (character === "]" && (expected === "value or ]" || (expected === "next" && open.at(-1) === "["))) ||
      (character === "}" && (expected === "name or }" || (expected === "next" && open.at(-1) === "{")));
    if (character === undefined) return expected === "next" && open.length === 0 ? undefined : i;
    if (isClosing) {
      open.pop();
      expected = "next";
      i++;
    } else if (expected === "next") {
      if (character !== "," || open.length === 0) return i;
      expected = open.at(-1) === "{" ? "name" : "value";
      i++;
    } else if (expected === ":") {
      if (character !== ":") return i;
      expected = "value";
      i++;
    } else if (character === '"') {
      const string = endOfString(text, i);
      if (string.isBroken) return string.end;
      i = string.end;
      expected = expected.startsWith("name") ? ":" : "next";
    } else if (expected.startsWith("name")) {
      return i;
    } else if (character === "{" || character === "[") {
      open.push(character);
      expected = character === "{" ? "name or }" : "value or ]";
      i++;
    } else {
      literal.lastIndex = i;
      if (!literal.test(text)) return i;
      i = literal.lastIndex;
      expected = "next";
    }
  }
}

/** By hand: a regular expression overflows the stack at a string of some megabytes. */
function endOfString(text: string, start: number): { end: number; isBroken: boolean } {
  for (let i = start + 1; i < text.length; i++) {
    const character = text[i] ?? "";
    if (character === '"') return { end: i + 1, isBroken: false };
    if (character < " ") return { end: i, isBroken: true };
    if (character !== "\\") continue;
    const [escaped] = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(i, i + 6)) ?? [];
    if (escaped === undefined) return { end: i, isBroken: true };
    i += escaped.length - 1;
  }
  return { end: text.length, isBroken: true };
}

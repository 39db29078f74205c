import type { TextRange } from "./text-range.js";

/** A text whose escapes are decoded. */
export interface DecodedText {
  readonly text: string;
  /**
   * Where each of its characters begins in the original text, and where the last one ends: a%2Fb becomes a/b with the
   * starts 0, 1, 4 and 5. Undefined if the text is the original one.
   */
  readonly starts: Uint32Array | undefined;
}

/** An escape in a text, and the character that it stands for. */
interface Escape extends TextRange {
  readonly character: string;
}

/** Every part is bounded, so a search takes linear time. `characterOf` reads the groups. */
const escapeForms = [
  /\\u(?<json>[\da-f]{4})/,
  /\\x(?<javascript>[\da-f]{2})/,
  /\\(?<escaped>[\\/"'])/,
  /%(?<percent>[\da-f]{2})/,
  /&#x0{0,6}(?<hexadecimal>[\da-f]{1,6});?/,
  /&#0{0,6}(?<decimal>\d{1,7});?/,
  /&(?<entity>[a-z]{2,6});/,
];
const anyEscape = new RegExp(escapeForms.map(({ source }) => source).join("|"), "gi");

/** The entities of HTML that stand for printable ASCII characters. */
const htmlEntities: Readonly<Record<string, string>> = {
  excl: "!",
  quot: '"',
  num: "#",
  dollar: "$",
  percnt: "%",
  amp: "&",
  apos: "'",
  lpar: "(",
  rpar: ")",
  ast: "*",
  plus: "+",
  comma: ",",
  period: ".",
  sol: "/",
  colon: ":",
  semi: ";",
  lt: "<",
  equals: "=",
  gt: ">",
  quest: "?",
  commat: "@",
  lsqb: "[",
  lbrack: "[",
  bsol: "\\",
  rsqb: "]",
  rbrack: "]",
  hat: "^",
  lowbar: "_",
  grave: "`",
  lcub: "{",
  lbrace: "{",
  verbar: "|",
  vert: "|",
  rcub: "}",
  rbrace: "}",
};

/** A service may escape twice, such as JSON in an HTML page. */
const maxPasses = 3;

/**
 * Decodes what a service may have escaped, in any mixture of forms. Returns the original text, and the text after each
 * pass that decoded something.
 */
export function decodeText(original: string): readonly [DecodedText, ...DecodedText[]] {
  let last: DecodedText = { text: original, starts: undefined };
  const all: [DecodedText, ...DecodedText[]] = [last];
  for (let pass = 1; pass <= maxPasses; pass++) {
    const escapes = escapesIn(last.text);
    if (escapes.length === 0) break;
    last = { text: textWithout(escapes, last.text), starts: startsWithout(escapes, last) };
    all.push(last);
  }
  return all;
}

/** The place in the original text that a place in a decoded text comes from. */
export function originalPlace({ starts }: DecodedText, at: number): number {
  return starts?.[at] ?? at;
}

/** The part of the original text that a part of a decoded text comes from. */
export function originalRange(decoded: DecodedText, { from, to }: TextRange): TextRange {
  return { from: originalPlace(decoded, from), to: originalPlace(decoded, to) };
}

function escapesIn(text: string): Escape[] {
  const found: Escape[] = [];
  for (const match of text.matchAll(anyEscape)) {
    const character = characterOf(match.groups ?? {});
    if (character !== undefined)
      found.push({ from: match.index, to: match.index + match[0].length, character });
  }
  return found;
}

/** Undefined if the escape stays as it is. @param groups of `anyEscape`: one of them is defined */
function characterOf(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  if (groups.escaped !== undefined) return groups.escaped;
  if (groups.entity !== undefined) return htmlEntities[groups.entity.toLowerCase()];
  if (groups.decimal !== undefined) return characterOfCode(Number(groups.decimal));
  const digits = groups.json ?? groups.javascript ?? groups.percent ?? groups.hexadecimal ?? "";
  return characterOfCode(Number.parseInt(digits, 16));
}

/** API tokens have no characters from U+D800 on, and some of these would be two characters of a string. */
function characterOfCode(code: number): string | undefined {
  return code < 0xd800 ? String.fromCharCode(code) : undefined;
}

function textWithout(escapes: readonly Escape[], text: string): string {
  let decoded = "";
  let end = 0;
  for (const { from, to, character } of escapes) {
    decoded += text.slice(end, from) + character;
    end = to;
  }
  return decoded + text.slice(end);
}

/** The `starts` of the text without these escapes. @param before the text that has them */
function startsWithout(escapes: readonly Escape[], before: DecodedText): Uint32Array {
  const starts: number[] = [];
  let at = 0;
  for (const { from, to } of escapes) {
    // The character that an escape stands for begins where the escape does.
    while (at <= from) starts.push(originalPlace(before, at++));
    at = to;
  }
  while (at <= before.text.length) starts.push(originalPlace(before, at++));
  return Uint32Array.from(starts);
}

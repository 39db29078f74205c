/** A text whose escapes are decoded. */
export interface DecodedText {
  readonly text: string;
  /** Where each of its characters begins in the original text, and where the last one ends. Undefined: in the same place. */
  readonly starts: Uint32Array | undefined;
}

/** Names of HTML entities that stand for printable ASCII characters. */
const htmlEntities: Readonly<Record<string, string>> = {
  ...{ excl: "!", quot: '"', num: "#", dollar: "$", percnt: "%", amp: "&", apos: "'", lpar: "(", rpar: ")" },
  ...{ ast: "*", plus: "+", comma: ",", period: ".", sol: "/", colon: ":", semi: ";", lt: "<", equals: "=" },
  ...{ gt: ">", quest: "?", commat: "@", lsqb: "[", lbrack: "[", bsol: "\\", rsqb: "]", rbrack: "]" },
  ...{ hat: "^", lowbar: "_", grave: "`", lcub: "{", lbrace: "{", verbar: "|", vert: "|" },
  ...{ rcub: "}", rbrace: "}" },
};

/** JSON and JavaScript escapes, percent-encoding, HTML entities. Every part is bounded, so a search takes linear time. */
const escapes =
  /\\u([\da-f]{4})|\\x([\da-f]{2})|\\([\\/"'])|%([\da-f]{2})|&#x0{0,6}([\da-f]{1,6});?|&#0{0,6}(\d{1,7});?|&([a-z]{2,6});/gi;

/** A service may escape twice, such as JSON in an HTML page. */
const maxPasses = 3;

/**
 * Decodes what a service may have escaped, in any mixture of forms. Returns the text as it is, and after each pass: only
 * one of them may have the quotes of a JSON text where they belong.
 */
export function decodeText(original: string): readonly [DecodedText, ...DecodedText[]] {
  let decoded: DecodedText = { text: original, starts: undefined };
  const all: [DecodedText, ...DecodedText[]] = [decoded];
  for (let pass = 0; pass < maxPasses; pass++) {
    const next = decodeOnce(decoded);
    if (next === undefined) break;
    decoded = next;
    all.push(decoded);
  }
  return all;
}

/** Undefined if there is nothing to decode. */
function decodeOnce({ text, starts }: DecodedText): DecodedText | undefined {
  const parts: string[] = [];
  const places: number[] = [];
  let end = 0;
  const keep = (from: number, to: number) => {
    parts.push(text.slice(from, to));
    for (let at = from; at < to; at++) places.push(starts?.[at] ?? at);
  };
  for (const match of text.matchAll(escapes)) {
    const character = decodeEscape(match);
    if (character === undefined) continue;
    keep(end, match.index);
    parts.push(character);
    places.push(starts?.[match.index] ?? match.index);
    end = match.index + match[0].length;
  }
  if (end === 0) return undefined;
  keep(end, text.length);
  places.push(starts?.[text.length] ?? text.length);
  return { text: parts.join(""), starts: Uint32Array.from(places) };
}

function decodeEscape([, u, x, plain, percent, hex, decimal, entity]: RegExpExecArray): string | undefined {
  if (plain !== undefined) return plain;
  if (entity !== undefined) return htmlEntities[entity.toLowerCase()];
  const digits = u ?? x ?? percent ?? hex;
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  // Others are not part of an API token, and some have two code units.
  return code < 0xd800 ? String.fromCharCode(code) : undefined;
}

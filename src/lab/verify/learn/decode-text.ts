/** Escapes of JSON and JavaScript, of URLs and of HTML. Each is short, so a search takes linear time. */
const escapes =
  /\\u(?<json>[\da-f]{4})|\\x(?<javascript>[\da-f]{2})|\\(?<escaped>[\\/"'])|%(?<percent>[\da-f]{2})|&#x0{0,6}(?<hexadecimal>[\da-f]{1,6});?|&#0{0,6}(?<decimal>\d{1,7});?|&(?<entity>[a-z]{2,6});/gi;

/** The entities of HTML that stand for printable ASCII characters. */
const entities: Readonly<Record<string, string>> = Object.fromEntries(
  `excl! quot" num# dollar$ percnt% amp& apos' lpar( rpar) ast* plus+ comma, period. sol/ colon: semi; lt< equals= gt>
  quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ lowbar_ grave\` lcub{ verbar| vert| rcub}`
    .split(/\s+/)
    .map((entity) => [entity.slice(0, -1), entity.slice(-1)]),
);

/** A service may escape twice, such as JSON in an HTML page. */
const maxPasses = 3;

/** A text, and the text after each pass that decoded something. */
export function decodings(text: string): string[] {
  const all = [text];
  let last = text;
  for (let pass = 1; pass <= maxPasses; pass++) {
    const decoded = last.replace(escapes, (whole, ...rest) => characterOf(rest.at(-1)) ?? whole);
    if (decoded === last) break;
    all.push(decoded);
    last = decoded;
  }
  return all;
}

/** Undefined if the escape stays as it is. @param groups of `escapes`: one of them is defined */
function characterOf(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  if (groups.escaped !== undefined) return groups.escaped;
  if (groups.entity !== undefined) return entities[groups.entity.toLowerCase()];
  if (groups.decimal !== undefined) return characterOfCode(Number(groups.decimal));
  const digits = groups.json ?? groups.javascript ?? groups.percent ?? groups.hexadecimal ?? "";
  return characterOfCode(Number.parseInt(digits, 16));
}

function characterOfCode(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

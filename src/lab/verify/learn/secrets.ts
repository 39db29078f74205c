import { operationIds, operations } from "../../../fake/contract/operations.js";
import { namesSecret } from "../../../fake/world/journal/mask.js";
import { isObject } from "../../../foundation/json.js";
import { printable } from "../../../foundation/printable.js";
import { shippedSchemas } from "../../../generated/shipped-schemas.js";

/** What stands for a secret, and for every text that has one in it. */
export const example = "example";

/** As keys of messages, the fields of requests are no secrets: {"current_token": ["is required"]}. */
const requestFieldNames = new Set(
  operationIds.flatMap((id) => Object.keys(shippedSchemas[operations[id].request].properties)),
);

/** What looks like a secret, whatever its name. Each of these searches takes linear time. */
const shapes = [
  // A word with a digit other than 0, as keys, sessions and ids of requests are.
  /(?<![\w-])(?=[\w-]{0,200}[1-9])[\w-]{16,}/,
  // A JSON Web Token.
  /(?<![\w-])eyJ[\w-]{6,}/,
  /\/\/[^\s/?#@"'<>]{1,200}:[^\s/?#@"'<>]{0,200}@/,
  /\bBearer\s{1,9}(?=\S{0,99}\d)[\w.~+/-]{8,}/i,
];

/** A name before a value: `name=value`, `name: value`, `"name" => "value"`. A placeholder is no value. */
const namedValue = /(?<![\w.-])(?<name>[\w.-]{2,60})["']?\s{0,3}(?:=>|=|:)\s{0,3}["']?(?=[^\s"'{])/g;

/** So much of an API token gives it away. */
const beginning = 12;

/** A shorter text is in too many words. */
const shortest = 4;

/** Headers that choose a representation: their values are no secrets. */
const publicHeaders = /^(accept|accept-.*|user-agent)$/i;

/** Decides what may be a secret, for the profile and for everything that is printed. */
export class Secrets {
  readonly #forms: readonly string[];
  /** Many responses of a service are equal. */
  readonly #known = new Map<string, boolean>();

  constructor(apiTokens: readonly string[], headers: Readonly<Record<string, string>> = {}) {
    const given = Object.entries(headers).filter(([name]) => !publicHeaders.test(name));
    const values = given.flatMap(([, value]) => [value, ...value.split(/\s+/).slice(1)]);
    const all = [...apiTokens, ...values].filter(({ length }) => length >= shortest);
    this.#forms = [...new Set(all.flatMap(formsOf))];
  }

  /** Whether a text has a secret in it. */
  isIn(text: string): boolean {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const found = decodings(text).some((one) => this.#isInPlain(one));
    this.#known.set(text, found);
    return found;
  }

  #isInPlain(text: string): boolean {
    const lower = text.toLowerCase();
    if (this.#forms.some((form) => lower.includes(form))) return true;
    if (shapes.some((shape) => shape.test(text))) return true;
    return [...text.matchAll(namedValue)].some(({ groups }) => isSecretName(groups?.name ?? ""));
  }

  /** JSON in which every text that may have a secret in it is an example. @param name of the field that has the value */
  hide(value: unknown, name = ""): unknown {
    return this.#hide(value, isSecretName(name));
  }

  #hide(value: unknown, isNamed: boolean): unknown {
    if (typeof value === "string") {
      const isHidden = (isNamed && value !== "" && !isPlaceholder(value)) || this.isIn(value);
      return isHidden ? example : value;
    }
    if (typeof value === "number") return isNamed ? 0 : value;
    if (Array.isArray(value)) return value.map((one) => this.#hide(one, isNamed));
    if (!isObject(value)) return value;
    const fields = Object.entries(value).map(([key, one]) => {
      return [this.isIn(key) ? example : key, this.#hide(one, isNamed || isSecretName(key))];
    });
    return Object.fromEntries(fields);
  }

  hideText(text: string, name?: string): string {
    return String(this.hide(text, name));
  }

  /** A text for the user: without secrets and control characters. A service may send back what it received. */
  show(text: string): string {
    return printable(this.isIn(text) ? "[secret]" : text);
  }
}

function isSecretName(name: string): boolean {
  return !requestFieldNames.has(name) && namesSecret(name);
}

function isPlaceholder(text: string): boolean {
  return /^\{[\w|[\]]+\}$/.test(text);
}

/** How a token can stand in a text, in lower case. */
function formsOf(token: string): string[] {
  const plain = decodings(token).map((one) => one.slice(0, beginning));
  const bytes = Buffer.from(token);
  // In base64, three bytes are four characters. The token may begin at any of the three.
  const base64 = [0, 1, 2].map((skipped) => {
    const whole = bytes.subarray(skipped, skipped + 9);
    return whole.length < 6 ? "" : whole.toString("base64").replace(/[^+/]?=+$/, "");
  });
  const hex = bytes.subarray(0, beginning).toString("hex");
  const url = base64.map((one) => one.replaceAll("+", "-").replaceAll("/", "_"));
  const long = [...base64, ...url, hex].filter(({ length }) => length >= 8);
  return [...plain, ...long].map((one) => one.toLowerCase());
}

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
function decodings(text: string): string[] {
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

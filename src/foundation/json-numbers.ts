/** A number token of JSON, or a string, which is skipped. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Only such texts can have a number that JavaScript cannot hold. Most bodies need no further look. */
const suspicious = /\d[eE][+-]?\d{3}|[\d.]{16}/;

export interface OddNumbers {
  /** Numbers that are too large: `1e400`. */
  readonly overflowing: readonly string[];
  /** Numbers that lost digits: `9007199254740993`. */
  readonly inexact: readonly string[];
}

const noNumbers: OddNumbers = { overflowing: [], inexact: [] };

/** The numbers of a JSON text that JavaScript cannot hold, as they were written. */
export function oddNumbers(text: string): OddNumbers {
  if (!suspicious.test(text)) return noNumbers;
  const numbers = (text.match(stringOrNumber) ?? []).filter((token) => !token.startsWith('"'));
  return {
    overflowing: numbers.filter((token) => !Number.isFinite(Number(token))),
    inexact: numbers.filter((token) => Number.isFinite(Number(token)) && !isExact(token)),
  };
}

/** Whether the number has the digits that were written. */
function isExact(token: string): boolean {
  const written = digitsOf(token);
  return written.length <= 15 || written === digitsOf(String(Number(token))) || isExactInteger(token);
}

function isExactInteger(token: string): boolean {
  return /^-?\d+$/.test(token) && BigInt(token) === BigInt(Number(token));
}

/** The significant digits, without sign, point, exponent and outer zeros. */
function digitsOf(number: string): string {
  return number
    .replace(/[eE].*$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+|0+$/g, "");
}

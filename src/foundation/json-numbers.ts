/** Only such texts can have a number that JavaScript cannot hold. Most bodies need no further look. */
const suspicious = /[:[,\s]-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d{3})/;

export interface OddNumbers {
  /** The first number that is too large: `1e400`. */
  readonly overflowing?: string;
  /** The first numbers that may have lost digits: `9007199254740993`. */
  readonly inexact: readonly string[];
}

/** More than anybody reads about one body. */
const maxInexact = 3;

/** The numbers of a JSON text that JavaScript cannot hold, as they were written. */
export function oddNumbers(text: string): OddNumbers {
  const inexact: string[] = [];
  if (!suspicious.test(text)) return { inexact };
  // Not in one step: an expression for strings with escapes overflows the stack at some megabytes.
  const withoutStrings = text.replace(/\\./g, "").replace(/"[^"]*"/g, '""');
  for (const [number] of withoutStrings.matchAll(/-?\d[\d.eE+-]*/g)) {
    if (!Number.isFinite(Number(number))) return { overflowing: number, inexact };
    if (inexact.length < maxInexact && !isExact(number)) inexact.push(number);
  }
  return { inexact };
}

/** What is longer is taken for inexact without a closer look. */
const maxExactLength = 400;

/** Whether JavaScript writes the number with the digits that it had. */
function isExact(number: string): boolean {
  return number.length <= maxExactLength && digitsOf(number) === digitsOf(String(Number(number)));
}

/** The significant digits, without sign, point, exponent and outer zeros. */
function digitsOf(number: string): string {
  return number
    .replace(/[eE].*$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+/, "")
    .replace(/0+$/, "");
}

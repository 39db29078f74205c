/** Only a text that matches can have a number that JavaScript cannot represent. Most bodies do not match. */
const suspicious = /[:[,\s]-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d{3})/;

export interface OddNumbers {
  /** The first number that is too large: `1e400`. */
  readonly overflowing?: string;
  /** The first numbers that may have lost digits: `9007199254740993`. */
  readonly inexact: readonly string[];
}

/** How many inexact numbers of one body are reported. */
const maxInexact = 3;

/** The numbers of a JSON text that JavaScript cannot represent, as they were written. */
export function oddNumbers(text: string): OddNumbers {
  const inexact: string[] = [];
  if (!suspicious.test(text)) return { inexact };
  // In two steps: a regular expression for strings with escapes overflows the stack at some megabytes.
  const withoutStrings = text.replace(/\\./g, "").replace(/"[^"]*"/g, '""');
  for (const [number] of withoutStrings.matchAll(/-?\d[\d.eE+-]*/g)) {
    if (!Number.isFinite(Number(number))) return { overflowing: number, inexact };
    if (inexact.length < maxInexact && !isExact(number)) inexact.push(number);
  }
  return { inexact };
}

/** Longer numbers count as inexact. */
const maxExactLength = 400;

/** Whether JavaScript keeps all digits of the number. */
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

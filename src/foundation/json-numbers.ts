/** Only a text that matches can have a number that JavaScript cannot represent. Most bodies do not match. */
const suspicious = /[:[,\s]-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d{3})/;

/** How many inexact numbers of one body are reported. */
const maxInexact = 3;

/** Longer numbers count as inexact. */
const maxExactLength = 400;

/**
 * The numbers of a JSON text that JavaScript cannot represent, as they were written.
 * @returns `overflowing`: the first number that is too large, such as `1e400`. `inexact`: the first numbers that may have
 * lost digits, such as `9007199254740993`
 */
export function oddNumbers(text: string): { overflowing?: string; inexact: readonly string[] } {
  const inexact: string[] = [];
  if (!suspicious.test(text)) return { inexact };
  // In two steps: a regular expression for strings with escapes overflows the stack at some megabytes.
  const withoutStrings = text.replace(/\\./g, "").replace(/"[^"]*"/g, '""');
  for (const [number] of withoutStrings.matchAll(/-?\d[\d.eE+-]*/g)) {
    if (!Number.isFinite(Number(number))) return { overflowing: number, inexact };
    const isExact = number.length <= maxExactLength && digitsOf(number) === digitsOf(String(Number(number)));
    if (!isExact && inexact.length < maxInexact) inexact.push(number);
  }
  return { inexact };
}

/** The significant digits, without sign, point, exponent and outer zeros. */
function digitsOf(number: string): string {
  return number.replace(/[eE].*$|[-.]/g, "").replace(/^0+|0+$/g, "");
}

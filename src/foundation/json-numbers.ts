/** Only such texts can have a number that JavaScript cannot hold. Most bodies need no further look. */
const suspicious = /[:[,\s]-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d{3})/;

export interface OddNumbers {
  /** Numbers that are too large: `1e400`. */
  readonly overflowing: readonly string[];
  /** Numbers that may have lost digits: `9007199254740993`. */
  readonly inexact: readonly string[];
}

const noNumbers: OddNumbers = { overflowing: [], inexact: [] };

/** More than anybody reads about one body. */
const maxFound = 10;

/** The first numbers of a JSON text that JavaScript cannot hold, as they were written. */
export function oddNumbers(text: string): OddNumbers {
  if (!suspicious.test(text)) return noNumbers;
  const overflowing: string[] = [];
  const inexact: string[] = [];
  for (const number of numbersOf(text)) {
    if (!Number.isFinite(Number(number))) overflowing.push(number);
    else if (!isExact(number)) inexact.push(number);
    if (overflowing.length + inexact.length === maxFound) break;
  }
  return { overflowing, inexact };
}

/** By hand: a regular expression overflows the stack at a string of some megabytes. */
function* numbersOf(text: string): Generator<string> {
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? "";
    if (character === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === "\\") i++;
    } else if (character === "-" || isDigit(character)) {
      const start = i;
      while (isNumberPart(text[i + 1] ?? "")) i++;
      yield text.slice(start, i + 1);
    }
  }
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

function isNumberPart(character: string): boolean {
  return isDigit(character) || (character !== "" && "+-.eE".includes(character));
}

/** What is longer is taken for inexact without a closer look. */
const maxExactLength = 400;

/** Whether the number has the digits that were written. */
function isExact(number: string): boolean {
  if (!/[1-9]/.test(number.replace(/[eE].*/, ""))) return true;
  if (number.length > maxExactLength || Number(number) === 0) return false;
  const written = digitsOf(number);
  if (written.length <= 15 || written === digitsOf(String(Number(number)))) return true;
  return /^-?\d+$/.test(number) && BigInt(number) === BigInt(Number(number));
}

/** The significant digits, without sign, point, exponent and outer zeros. */
function digitsOf(number: string): string {
  return number
    .replace(/[eE].*$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+/, "")
    .replace(/0+$/, "");
}

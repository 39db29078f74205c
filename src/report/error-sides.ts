import type { ReportedError } from "./report-data.js";

/** The texts of an error. What the test expected is not evidence that the program got it. */
export interface ErrorSides {
  readonly received: string;
  /** What the test expected instead. */
  readonly expected: string;
  /** What the test expected and got. */
  readonly equal: string;
}

/** Whether a text stands in what was received, and not in what the test expected. */
export function isReceived({ received, expected, equal }: ErrorSides, text: RegExp | string): boolean {
  const isIn = (side: string) => (typeof text === "string" ? side.includes(text) : text.test(side));
  return isIn(received) && !isIn(expected) && !isIn(equal);
}

const noSides: ErrorSides = { received: "", expected: "", equal: "" };

/** What an error says, and apart from it what the test expected. */
export function readSides(error: ReportedError): ErrorSides {
  const { message, kind, code, causes = [] } = error;
  // Near misses quote requests that are not the reason.
  if (kind === "mock" && code !== "failures") return noSides;
  const own = kind === "assertion" ? sidesOfAssertion(error) : { ...noSides, received: message };
  return { ...own, received: [own.received, ...causes].join("\n") };
}

/** Where the text of an assertion library begins. A text of the test may stand before it. */
const ofLibrary =
  /\bexpect(?:ed\b|\()|\bExpected\b|^The (?:expression|input)\b|^Snapshot `|^(?:AssertionError: )?.+ [!=]= /;

/** A received value that says nothing by itself. */
const saysNothing = /^\W*(?:Received: +)?(?:false|null|undefined)$/m;

function sidesOfAssertion(error: ReportedError): ErrorSides {
  const { message } = error;
  const [ofTest = ""] = message.split(ofLibrary);
  if (ofTest === message && error.actual === undefined) return { ...noSides, received: message };
  const sides = comparedSides(error, message.slice(ofTest.length));
  // `expect(ok, "HTTP 404").toBe(true)`. Beside another value, the text of the test describes what it checks.
  return saysNothing.test(sides.received) ? { ...sides, received: `${ofTest}\n${sides.received}` } : sides;
}

/** What an assertion compared. @param message without a text of the test */
function comparedSides({ diff = "", expected, actual }: ReportedError, message: string): ErrorSides {
  const [, subject, rest] = /\bexpected (.+?)(?: not)? to (.+)$/s.exec(message) ?? [];
  if (subject !== undefined && rest !== undefined && isSearch(subject, rest)) return noSides;
  const difference = sidesOfDifference(`${message}\n${diff}`.split("\n"));
  if (difference !== undefined) return difference;
  if (actual !== undefined && expected !== undefined) return sidesOfValues(actual, expected);
  if (subject !== undefined && rest !== undefined) return { received: subject, expected: rest, equal: "" };
  return sidesOfLines(message.split("\n"));
}

/** Whether chai or vitest searched in a collection: that has more than what the assertion is about. */
function isSearch(subject: string, rest: string): boolean {
  const searches = /^(?:deep(?:ly)? )?(?:equally )?(?:include|contain|have)\b(?! property .* with value)/s;
  return /^[[{]/.test(subject) && searches.test(rest);
}

/** The sides of a difference with signs; undefined if there is none. */
function sidesOfDifference(lines: readonly string[]): ErrorSides | undefined {
  const signed = readSigns(lines);
  if (signed === undefined) return undefined;
  const linesOf = (side: keyof ErrorSides) => lines.filter((_, i) => signed[i] === side);
  return joinLines({
    received: linesOf("received"),
    expected: linesOf("expected"),
    equal: linesOf("equal"),
  });
}

/** The side of each line by its sign; undefined for those above the difference, or if there is no difference. */
export function readSigns(lines: readonly string[]): (keyof ErrorSides | undefined)[] | undefined {
  const start = lines.findIndex((line) => /^\s*(?:- Expected\b|\+ actual - expected)/.test(line));
  if (start < 0) return undefined;
  /** Where lines without a sign belong. vitest writes values that have nothing in common as two blocks. */
  let block: keyof ErrorSides = "equal";
  return lines.map((line, i) => {
    if (i < start) return undefined;
    if (/^\s*\+ actual - expected/.test(line)) return "equal";
    if (/^\s*- Expected:$/.test(line)) block = "expected";
    if (/^\s*\+ Received:$/.test(line)) block = "received";
    if (line.startsWith("+")) return "received";
    return line.startsWith("-") ? "expected" : block;
  });
}

/** The sides of two values, each with a field or an item per line. */
function sidesOfValues(actual: string, expected: string): ErrorSides {
  const [received, wanted] = [actual.split("\n"), expected.split("\n")];
  return joinLines({
    received: received.filter((line) => !wanted.includes(line)),
    expected: wanted.filter((line) => !received.includes(line)),
    equal: received.filter((line) => wanted.includes(line)),
  });
}

/**
 * Jest, Playwright and Node print both sides in the message: on lines of their own, or as `404 !== 200`; unittest and
 * pytest as `404 != 200` and `assert 404 == 200`.
 */
function sidesOfLines(lines: readonly string[]): ErrorSides {
  const compared = lines.flatMap((line) => {
    const [, left, right] = comparison.exec(line) ?? [];
    return left === undefined || right === undefined ? [] : [{ left, right }];
  });
  if (compared.length > 0) {
    const [received, expected] = [compared.map(({ left }) => left), compared.map(({ right }) => right)];
    return joinLines({ received, expected, equal: [] });
  }
  // The assertion searched in a collection.
  const shown = lines.filter((line) => !/^Received (?:array|set|collection)\b/.test(line));
  const isExpected = (line: string) => /^\s*Expected\b/.test(line);
  return joinLines({
    received: shown.filter((line) => !isExpected(line)),
    expected: shown.filter(isExpected),
    equal: [],
  });
}

/** `404 !== 200`, `assert 404 == 200`. */
const comparison = /^(?:AssertionError: )?(?:assert )?(.+) [!=]==? (.+)$/;

function joinLines({ received, expected, equal }: Record<keyof ErrorSides, readonly string[]>): ErrorSides {
  return { received: received.join("\n"), expected: expected.join("\n"), equal: equal.join("\n") };
}

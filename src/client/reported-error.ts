import { inspect } from "node:util";
import type { ErrorKind, ReportedError } from "../report/report-data.js";

/** Longer values are cut: a report is for people. */
const maxErrorLength = 20_000;

/** How many causes are read: a chain can be circular. */
const maxCauses = 5;

/**
 * What a framework knows of the error of a test: its message, and what an assertion compared.
 * @param file of the test: its absolute path
 */
export function reportedError(thrown: unknown, file?: string): ReportedError | undefined {
  if (thrown === undefined || thrown === null) return undefined;
  // Playwright stores a thrown value that is not an error in `value`.
  const message = asText(read(thrown, "message") ?? read(thrown, "value") ?? thrown);
  // Jest stores the compared values in `matcherResult`.
  const compared = read(thrown, "matcherResult") ?? thrown;
  const [expected, actual, diff] = [
    read(compared, "expected"),
    read(compared, "actual"),
    read(thrown, "diff"),
  ];
  const kind = kindOfError(thrown, message) ?? (isThrownIn(file, thrown) ? "own" : undefined);
  const causes = causeMessages(thrown);
  // Without a difference, a framework has not compared the two: it searched for one in the other.
  const isCompared = (expected ?? actual) !== undefined && read(thrown, "showDiff") !== false;
  return {
    message,
    ...(kind !== undefined && { kind }),
    ...(kind === "mock" && { code: String(read(thrown, "code")) }),
    ...(isCompared && { expected: asText(expected), actual: asText(actual) }),
    ...(typeof diff === "string" && { diff: asText(diff) }),
    ...(causes.length > 0 && { causes }),
  };
}

/** A field of anything that can be thrown. Some are inherited. */
function read(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Whether the body of a test threw an error: nothing that the test called is in its stack. */
function isThrownIn(file: string | undefined, thrown: unknown): boolean {
  const frames = String(read(thrown, "stack")).match(/^ +at .*$/gm) ?? [];
  const isOfTest = (frame: string) => file !== undefined && frame.includes(`${file}:`);
  return frames.filter(isOfTest).length === 1 && isOfTest(frames[0] ?? "");
}

/** How the frameworks begin the message of a test or hook that took too long. */
const timeLimits =
  /^(?:Error: )?(?:(?:Test|Hook) timed out in|(?:thrown: ")?Exceeded timeout of|test timed out after|(?:Test|".*" hook) timeout of)/i;

/** How assertions begin their message. */
const assertions = /^(?:Error: )?(?:AssertionError\b|expect\(|expected )|\n\n?expect\(/;

const abortNames = ["AbortError", "TimeoutError", "CanceledError"];
const abortCodes =
  /^(?:ABORT_ERR|ETIMEDOUT|ESOCKETTIMEDOUT|ECONNABORTED|ERR_CANCELED|UND_ERR_(?:HEADERS|BODY|CONNECT)_TIMEOUT)$/;
const abortMessages = /\b(?:timed? ?out|timeout|aborted)\b/i;

const mistakes = ["TypeError", "ReferenceError", "RangeError"];

function kindOfError(thrown: unknown, message: string): ErrorKind | undefined {
  // Playwright has the name only in the message.
  const name = String(read(thrown, "name") ?? /^(\w+)(?: \[\w+\])?: /.exec(message)?.[1] ?? "");
  const code = read(thrown, "code");
  if (name === "MockError") return "mock";
  const isMatcher = read(thrown, "matcherResult") !== undefined;
  if (isMatcher || name === "AssertionError" || code === "ERR_ASSERTION" || assertions.test(message))
    return "assertion";
  if (timeLimits.test(message)) return "time-limit";
  if (isAbort(thrown, message)) return "abort";
  // fetch has a cause, which older versions of Playwright leave out.
  const hasCause = read(thrown, "cause") !== undefined || message.includes("fetch failed");
  const isOfFile = /^(?:Error: )?(?:ENOENT|EACCES|EEXIST|EISDIR|ENOTDIR|EPERM): /.test(message);
  return (mistakes.includes(name) && !hasCause) || isOfFile ? "mistake" : undefined;
}

function isAbort(thrown: unknown, message: string): boolean {
  const all = [thrown, ...causeChain(thrown)];
  const isNamed = all.some((one) => abortNames.includes(String(read(one, "name"))));
  const isCoded = all.some((one) => abortCodes.test(String(read(one, "code"))));
  return isNamed || isCoded || abortMessages.test(message);
}

/** The causes of an error, the nearest first. */
function causeChain(thrown: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = read(thrown, "cause"); cause !== undefined && causes.length < maxCauses; ) {
    causes.push(cause);
    cause = read(cause, "cause");
  }
  return causes;
}

/** What the causes of an error say, and what a client has stored of a response in it or in them. */
function causeMessages(thrown: unknown): string[] {
  const messages = causeChain(thrown).map((cause) => asText(read(cause, "message") ?? cause));
  const stored = [thrown, ...causeChain(thrown)].flatMap((error) => {
    const response = read(error, "response");
    const fields = [
      read(error, "status"),
      read(error, "statusCode"),
      read(error, "code"),
      read(error, "body"),
    ];
    return [...fields, read(response, "status"), read(response, "statusCode"), read(response, "data")];
  });
  const values = stored.filter((value) => typeof value !== "number" || value >= 100);
  const texts = values.flatMap((value) => (value === undefined || value === null ? [] : asText(value)));
  return [...messages, ...new Set(texts)];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: frameworks colour their messages with these.
const colourCodes = /\u001b\[[\d;]*m/g;

function asText(value: unknown): string {
  const text = typeof value === "string" ? value : inspect(value, { compact: false, depth: 10 });
  return text.replace(colourCodes, "").slice(0, maxErrorLength);
}

import { inspect } from "node:util";
import type { ErrorKind, ReportedError } from "../report/report-data.js";

/** Longer values are cut: a report is for people. */
const maxErrorLength = 20_000;

/** How many causes are read: a chain can be circular. */
const maxCauses = 5;

/** What a framework knows of the error of a test: its message, and what an assertion compared. */
export function reportedError(thrown: unknown): ReportedError | undefined {
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
  const kind = kindOfError(thrown, message);
  const name = read(thrown, "name");
  const isNamed = kind === undefined && typeof name === "string" && !generalNames.test(name);
  const chain = causeChain(thrown);
  const messages = chain.map((cause) => asText(read(cause, "message") ?? cause));
  // The fields of an assertion are what it compared.
  const fields = (kind === "assertion" ? chain : [thrown, ...chain]).flatMap(fieldTexts);
  const causes = [...messages, ...new Set(fields)];
  // Without a difference, a framework has not compared the two: it searched for one in the other.
  const isCompared = (expected ?? actual) !== undefined && read(thrown, "showDiff") !== false;
  return {
    message,
    ...(isNamed && { name }),
    ...(kind !== undefined && { kind }),
    ...(kind === "mock" && { code: String(read(thrown, "code")) }),
    ...(isCompared && { expected: asText(expected), actual: asText(actual) }),
    ...(typeof diff === "string" && { diff: asText(diff) }),
    ...(causes.length > 0 && { causes }),
  };
}

/** What is known of an error of which there is only text: `urllib.error.HTTPError: …`. */
export function errorOfText(text: string | undefined): ReportedError | undefined {
  // Of its type, the module says nothing.
  const error = reportedError(text?.replace(/^(?:\w+\.)+(?=\w+: )/, ""));
  // pytest prints where the compared values are from.
  return error && /status/i.test(error.message) ? { ...error, lines: { nameStatus: true } } : error;
}

/** A field of anything that can be thrown. Some are inherited. */
function read(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** How the frameworks begin the message of a test or hook that took too long. */
const timeLimits =
  /^(?:Error: )?(?:(?:Test|Hook) timed out in|(?:thrown: ")?Exceeded timeout of|test timed out after|(?:Test|".*" hook) timeout of)/i;

/** How assertions begin their message. That of a snapshot in vitest has no name of its own. */
const assertions = /^(?:Error: )?(?:AssertionError\b|assert |expect\(|expected |Snapshot `)|\n\n?expect\(/;

/** Names of errors that say nothing. */
const generalNames = /^(?:Type|Range|Reference|Syntax)?Error$/;

const abortNames = ["AbortError", "TimeoutError", "CanceledError"];
const abortCodes =
  /^(?:ABORT_ERR|ETIMEDOUT|ESOCKETTIMEDOUT|ECONNABORTED|ERR_CANCELED|UND_ERR_(?:HEADERS|BODY|CONNECT)_TIMEOUT)$/;
/** In the messages of fetch, axios, got, ky and superagent, and of programs that wrap them. */
const abortMessages =
  /\b(?:timeout of \d|timeout awaiting|network timeout|(?:headers|body|connect) timeout error|(?:operation|request|response|connection|service|server|api) (?:was |has )?(?:aborted|timed out))/i;

function kindOfError(thrown: unknown, message: string): ErrorKind | undefined {
  // Playwright has the name only in the message.
  const name = String(read(thrown, "name") ?? /^(\w+)(?: \[\w+\])?: /.exec(message)?.[1] ?? "");
  const code = read(thrown, "code");
  if (name === "MockError") return "mock";
  const isMatcher = read(thrown, "matcherResult") !== undefined;
  if (isMatcher || name === "AssertionError" || code === "ERR_ASSERTION" || assertions.test(message))
    return "assertion";
  if (timeLimits.test(message)) return "time-limit";
  return isAbort(thrown, message) ? "abort" : undefined;
}

function isAbort(thrown: unknown, message: string): boolean {
  const all = [thrown, ...causeChain(thrown)];
  const isNamed = all.some((one) => abortNames.includes(String(read(one, "name"))));
  const isCoded = all.some((one) => abortCodes.test(String(read(one, "code"))));
  const messages = [message, ...causeChain(thrown).map((cause) => asText(read(cause, "message") ?? cause))];
  return isNamed || isCoded || messages.some((text) => abortMessages.test(text));
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

/** What an error has beside its message: `status: 404`. Clients store the response in some of these fields. */
function fieldTexts(error: unknown): string[] {
  if (typeof error !== "object" || error === null) return [];
  const response = read(error, "response");
  const own = Object.entries(error).filter(
    ([name, value]) => !ofErrors.includes(name) && !isReference(value),
  );
  const fields = {
    ...Object.fromEntries(own),
    // These may be inherited, or objects.
    status: read(error, "status"),
    statusCode: read(error, "statusCode"),
    code: read(error, "code"),
    body: read(error, "body"),
    "response status": read(response, "status") ?? read(response, "statusCode"),
    "response body": read(response, "data") ?? read(response, "body"),
  };
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : `${name}: ${asText(value)}`,
  );
}

/** Fields that every error has, or that a framework adds. */
const ofErrors = [
  ...["name", "nameStr", "message", "value", "stack", "stackStr", "diff", "expected", "actual"],
  ...["constructor", "toString"],
];

function isReference(value: unknown): boolean {
  return typeof value === "object" || typeof value === "function";
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: frameworks colour their messages with these.
const colourCodes = /\u001b\[[\d;]*m/g;

function asText(value: unknown): string {
  const text = typeof value === "string" ? value : inspect(value, { compact: false, depth: 10 });
  return text.replace(colourCodes, "").slice(0, maxErrorLength);
}

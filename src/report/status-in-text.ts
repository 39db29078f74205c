import type { JournalEntry } from "../generated/types.js";
import type { ErrorSides } from "./error-sides.js";

/** How programs write the status `000` of a response. Other numbers may be anything: "Order 404 not found" has an id. */
const forms: readonly RegExp[] = [
  // HTTP 404 · HTTP/1.1 404 · HTTP error! status: 404 · status code 404 · "statusCode": 404
  /(?:\bhttp(?:\/[\d.]+)?|status)(?:["'\s:=([!]|code|error|\b(?:was|is|of)\b)*000\b/i,
  // responded with 404 · returned an unexpected 404, but not: returned 404 rows
  /\b(?:response|responded|returned|answered|replied)(?:[\s:(]|\b(?:with|was|an?|unexpected)\b)*000\b(?! [a-z]{2,}s\b)/i,
  // failed: 404 · rejected with 404, but not: failed 404 times
  /\b(?:failed|rejected)(?: with(?: an?)?|:| ?\() ?000\b(?! [a-z]{2,}s\b)/i,
  // error 404 · error code 404 · a 404 response
  /\berror (?:code )?000\b|\b000 (?:response|error|status)\b/i,
  // { code: 404 }
  /(?:^|[{,] ?)["']?code["']?: ?000\b/m,
  // 404 Not Found · 503 "Service Unavailable"
  /\b000\b[\s:,(–-]*["']?(?:Bad Request|Unauthorized|Forbidden|Not Found|Method Not|Conflict|Gone|Payload Too|Unsupported|Unprocessable|Too Many|Internal Server|Bad Gateway|Service Unavailable|Gateway Time)/,
  // POST /api/user 404 · → 404
  /\b(?:GET|POST) \S+[\s:(→>-]+000\b|(?:→|->|=>|←) ?000\b/,
  // could not rotate the token: 404 · rotation of acme failed (404)
  /\b(?:could not|couldn't|cannot|can't|unable to|failed)\b.{0,80}(?:: | \()000\)?\.?$/im,
];

/** Whether a text says that a number is the status of a response. */
export function namesStatus(text: string, status: number): boolean {
  return forms.some(({ source, flags }) => patternFor(source, status, flags).test(text));
}

/** Whether a message begins with a status: `404`, `404: {"error":…`. In an assertion, that may be any number. */
export function beginsWithStatus(messages: string, status: number): boolean {
  return patternFor(/^(?:\w*Error: )?000(?:$|[:,]| [-{])/.source, status, "m").test(messages);
}

/** With these, programs report a status of any service. */
const generalWords = new Set(
  (
    "a an the and or of in to for from by on at with that this it as is was were be been has had did not no " +
    "http https status statuscode code error errors exception message name type value request requests response " +
    "responded responds returned returns answered replied ended failed failure fails fail rejected reject call " +
    "service server api client remote upstream unexpected expected got received promise instead resolving ok " +
    "could cannot can couldn unable bad forbidden unauthorized found allowed method conflict gone payload too large " +
    "many unprocessable entity content unsupported media internal gateway unavailable timeout get post url"
  ).split(" "),
);

/** What programs call the service and its operations. */
const ownWords = "user usergroup usergroups group groups token tokens rotate rotation rotating";

/**
 * Whether a text with a status is about a request: it names something of it, or nothing at all. "Billing responded with
 * 404" is about another service.
 */
export function isAbout(text: string, { operation, group, request }: JournalEntry): boolean {
  const named = lowerCaseWords(text).filter((word) => !generalWords.has(word));
  const sent = [operation, group?.provided_id, request.path, JSON.stringify(request.body)];
  const own = lowerCaseWords(`${ownWords} ${sent.join(" ")}`);
  return named.length === 0 || named.some((word) => own.includes(word));
}

/** In lower case, also those in a name such as `BillingError` and `HTTPError`. */
function lowerCaseWords(text: string): string[] {
  const apart = text.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ").toLowerCase();
  return apart.match(/[\p{L}\p{N}]*\p{L}[\p{L}\p{N}]*/gu) ?? [];
}

/**
 * Whether the one value that an assertion received is a status, because the value that it expected is one of success:
 * `200`, or `less than 400`. A value in a list may be any.
 */
export function isComparedAsStatus({ received, expected, equal }: ErrorSides, status: number): boolean {
  if (/\S/.test(equal)) return false;
  const success = /^(?:20[0-8]|(?:<=?|less than|below) [345]00|(?:<=|at most) [23]99)$/;
  return loneValue(received) === String(status) && success.test(loneValue(expected) ?? "");
}

/** The value of a side that has no other one: `404`, `+ 404`, `Received: 404`, `be 200 // Object.is equality`. */
function loneValue(side: string): string | undefined {
  const lines = side.split("\n");
  const labelled = lines.filter((line) => label.test(line));
  const values = (labelled.length > 0 ? labelled : lines)
    .map((line) => line.replace(/^[+-] *(?:(?:Received|Expected|actual|expected)\b)?|^(?:be|equal) /, ""))
    .map((line) =>
      line
        .replace(label, "")
        .replace(/,$| \/\/ .*$/, "")
        .replace(/["']/g, "")
        .trim(),
    )
    .filter((line) => /\w/.test(line));
  return values.length === 1 ? values[0] : undefined;
}

/** `Received: `, `Expected length: `. */
const label = /^(?:Received|Expected)\b[^:]*: *(?=\S)/;

function patternFor(source: string, value: number | string, flags = ""): RegExp {
  return new RegExp(source.replaceAll("000", String(value)), flags);
}

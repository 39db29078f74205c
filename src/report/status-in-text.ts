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

/**
 * Whether a value that an assertion received is a status, because the value that it expected is one of success: `200`,
 * or `less than 400`.
 */
export function isComparedAsStatus(received: string, expected: string, status: number): boolean {
  const success = /20[0-8]|(?:<=?|less than|below) [345]00|(?:<=|at most) [23]99/.source;
  return (
    patternFor(wholeValue.source, status, "m").test(received) &&
    patternFor(wholeValue.source, success, "m").test(expected)
  );
}

/** A value on its line: `404`, `+   "first": 404,`, `Received: 404`, `be 200 // Object.is equality`. */
const wholeValue = /^[^\w<]*(?:[\w ]+["']?: *|(?:be|equal) )?["']?(?:000)["']?(?:,|$| \/\/)/;

function patternFor(source: string, value: number | string, flags = ""): RegExp {
  return new RegExp(source.replaceAll("000", String(value)), flags);
}

/** Stands for a secret: a client with production credentials may have used the mock by mistake. */
export const masked = "********";

/** Names of headers and fields that can carry credentials. */
const secret =
  /authorization|cookie|token|secret|passw|passphrase|pwd|credential|session|jwt|bearer|dpop|signature|(api|access|auth|private|subscription)[-_]?key|(^|[-_])(auth|pass|dsn)([-_]|$)/;

export function namesSecret(name: string): boolean {
  return secret.test(name.toLowerCase());
}

/** The last four characters of a token identify it. They are shown if the rest is long enough to stay secret. */
export function maskedToken(token: string): string {
  return token.length >= 16 && !/\s/.test(token) ? `${masked}${token.slice(-4)}` : masked;
}

/**
 * The beginning of a field whose value is text. It is never inside the text of another one: the quote after its name is
 * not escaped.
 */
const textField = /"([^"\\]{1,200})"\s*:\s*"/g;

/**
 * The body of a request that was rejected for its API token: the client may be a production client. It may have been cut
 * anywhere, so it is not parsed.
 * @param isIssued whether the mock has issued a token; others are masked
 */
export function maskBody(text: string, isIssued: (token: string) => boolean): string {
  let shown = "";
  let from = 0;
  for (const { index, 0: beginning, 1: name = "" } of text.matchAll(textField)) {
    const start = index + beginning.length;
    const end = endOfText(text, start);
    const value = text.slice(start, end);
    const isSecret = namesSecret(name) && !isIssued(value);
    shown += text.slice(from, start) + (isSecret ? maskedToken(value) : value);
    from = end;
  }
  shown += text.slice(from);
  return shown.replace(/\b[\da-f]{64}\b/gi, (token) => (isIssued(token) ? token : maskedToken(token)));
}

/** Where a text of JSON ends. Not a regular expression: a text of some MB overflows its stack. */
function endOfText(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '"') return at;
    if (text[at] === "\\") at++;
  }
  return text.length;
}

/** Stands for a secret: a client with production credentials may have used the mock by mistake. */
export const masked = "********";

/** Names of headers and fields that can carry credentials. */
const secret =
  /authorization|cookie|token|secret|passw|passphrase|pwd|credential|session|jwt|bearer|dpop|signature|(api|access|auth|private|subscription)[-_]?key|(^|[-_])(auth|pass)([-_]|$)/;

export function namesSecret(name: string): boolean {
  return secret.test(name.toLowerCase());
}

/** The last four characters of a token identify it. They are shown if the rest is long enough to stay secret. */
export function maskedToken(token: string): string {
  return /^\S{16,}$/.test(token) ? `${masked}${token.slice(-4)}` : masked;
}

/** A field whose value is text, in JSON that may have been cut anywhere. */
const textFields = /"([^"\\]{1,200})"(\s*:\s*)"((?:[^"\\]|\\.)*)/g;

/**
 * The body of a request that was rejected for its API token: the client may be a production client.
 * @param isIssued whether the mock has issued a token; others are masked
 */
export function maskBody(text: string, isIssued: (token: string) => boolean): string {
  return text
    .replace(textFields, (field, name: string, colon: string, value: string) =>
      namesSecret(name) && !isIssued(value) ? `"${name}"${colon}"${maskedToken(value)}` : field,
    )
    .replace(/\b[\da-f]{64}\b/gi, (token) => (isIssued(token) ? token : maskedToken(token)));
}

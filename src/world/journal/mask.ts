import { parseJson } from "../../foundation/json.js";

/** Stands for a secret: somebody may have pointed production credentials at us. */
export const masked = "********";

/** Names of headers and fields that can carry credentials. */
const secret =
  /authorization|cookie|token|secret|passw|passphrase|pwd|credential|session|jwt|bearer|dpop|signature|(api|access|auth|private|subscription)[-_]?key|(^|[-_])(auth|pass)([-_]|$)/;

export function namesSecret(name: string): boolean {
  return secret.test(name.toLowerCase());
}

/** A token with its last four characters, if it is long enough to stay a secret: they say which one it was. */
export function maskedToken(token: string): string {
  return /^\S{16,}$/.test(token) ? `${masked}${token.slice(-4)}` : masked;
}

/** A field with text, in JSON that may have been cut anywhere. */
const textFields = /"([^"\\]{1,200})"(\s*:\s*)"((?:[^"\\]|\\.)*)/g;

/**
 * The body of a request that was rejected for its API token: its caller may be one of production.
 * @param isIssued whether the mock has issued a token; others are masked
 */
export function maskBody(text: string, isIssued: (token: string) => boolean): string {
  const isSecret = (name: string, value: string) =>
    (namesSecret(name) || /^[\da-f]{64}$/i.test(value)) && !isIssued(value);
  let hasMasked = false;
  const mask = (name: string, value: unknown) => {
    if (typeof value !== "string" || !isSecret(name, value)) return value;
    hasMasked = true;
    return maskedToken(value);
  };
  try {
    if (parseJson(text) !== undefined) {
      const json = JSON.parse(text, mask);
      return hasMasked ? JSON.stringify(json) : text;
    }
  } catch {
    // It nests too deep for this.
  }
  return text.replace(textFields, (whole, name: string, colon: string, value: string) =>
    isSecret(name, value) ? `"${name}"${colon}"${maskedToken(value)}` : whole,
  );
}

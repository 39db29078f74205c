import type { TextRange } from "./text-range.js";

// A search with each of these expressions takes linear time.

/** With a digit, such a word may be a key, a session, or the id of a request. Zeros alone do not count: the nil UUID is no secret. */
const longWords = /[\w-]{16,}/g;

/** JSON Web Tokens: base64 of JSON, such as {"alg":…}, begins with eyJ, and the parts have dots between them. */
const webTokens = /(?<![\w-])eyJ[\w-]+\.[\w.-]+/g;

/** The user and the password in a URL: //user:password@ */
const urlCredentials = /(?<=\/\/)[^\s/?#@"'<>]{1,200}(?=@)/g;

/** What looks like a secret in a text, whatever the field that it is the value of. */
export function likelySecrets(text: string): TextRange[] {
  const keys = rangesOf(longWords, text).filter(({ from, to }) => /[1-9]/.test(text.slice(from, to)));
  return [...keys, ...rangesOf(webTokens, text), ...rangesOf(urlCredentials, text)];
}

function rangesOf(expression: RegExp, text: string): TextRange[] {
  return Array.from(text.matchAll(expression), (match) => {
    return { from: match.index, to: match.index + match[0].length };
  });
}

/** Shortens the tokens of groups to what tells them apart. */
export function shortenTokens(text: string): string {
  return tokenShortener(text)(text);
}

/** Shortens the tokens of a text in its parts. */
export function tokenShortener(text: string): (part: string) => string {
  const pattern = /\b[0-9a-f]{64}\b/g;
  const tokens = [...new Set(text.match(pattern))];
  let length = 6;
  while (new Set(tokens.map((token) => token.slice(0, length))).size < tokens.length) length++;
  return (part) => part.replace(pattern, (token) => `${token.slice(0, length)}…`);
}

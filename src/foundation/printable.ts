/**
 * Makes text safe for a terminal: control characters and those that change the direction of text are escaped as in JSON.
 * So JSON on one line keeps its meaning.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    // Each half of a surrogate pair is escaped, as in JSON.
    const units = character.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
    return units.map((unit) => `\\u${unit}`).join("");
  });
}

/** `printable` for text of several lines. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/**
 * Makes text safe for a terminal and for the XML of JUnit files: control characters, those that change the direction of
 * text, those that XML cannot have, and the end of a CDATA section are escaped as in JSON. So JSON on one line keeps its
 * meaning.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\ufffe\uffff]|(?<=\]\])>/gu, (character) => {
    // Each half of a surrogate pair is escaped, as in JSON.
    return character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  });
}

/** `printable` for text of several lines. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** The first `length` characters, with an ellipsis if there are more. */
export function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

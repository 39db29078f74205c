/**
 * Text from elsewhere, made safe for a terminal: control characters and those that change the direction are escaped, as
 * JSON escapes them. So JSON without new lines keeps its meaning.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}

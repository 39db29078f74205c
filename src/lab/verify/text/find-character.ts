/** The first place from `start` on whose character matches, or the end of the text. */
export function findCharacter(text: string, start: number, character: RegExp): number {
  let at = start;
  while (at < text.length && !character.test(text.charAt(at))) at++;
  return at;
}

/** Characters, as a profile lists them: ranges such as `a-z`, single characters, `space` and `other` (not ASCII). */
const word = /^(?:space|other|[!-~]|[0-9A-Za-z]-[0-9A-Za-z])$/;

/** The words that are none. */
export function wrongCharacterWords(list: string): string[] {
  return wordsIn(list).filter((one) => !word.test(one) || isReversed(one));
}

/** A function that finds the first character of a text that is not in the list. */
export function characterFinder(list: string): (text: string) => string | undefined {
  const allowed = new Set(wordsIn(list).flatMap(charactersOf));
  const takesOther = wordsIn(list).includes("other");
  return (text) => {
    for (const character of text) {
      const isAscii = character <= "\u007f";
      if (isAscii ? !allowed.has(character) : !takesOther) return character;
    }
    return undefined;
  };
}

function wordsIn(list: string): string[] {
  return list.split(" ").filter((one) => one !== "");
}

/** Those of ASCII that a word stands for. */
function charactersOf(one: string): string[] {
  if (one === "space") return [" "];
  if (one === "other") return [];
  const from = one.charCodeAt(0);
  const to = one.charCodeAt(one.length - 1);
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index));
}

function isReversed(one: string): boolean {
  return one.length === 3 && one.charAt(0) > one.charAt(2);
}

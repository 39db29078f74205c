/** The word that `wrong` was most likely meant to be, or undefined if none is close. */
export function nearest(wrong: string, words: Iterable<string>): string | undefined {
  // A word this long is not a typo, and comparing it takes time.
  if (wrong.length > 100) return undefined;
  // In a short word, two changes leave little in common.
  const most = wrong.length < 4 ? 1 : Math.max(2, Math.floor(wrong.length / 3));
  const [best] = [...words]
    .map((word) => ({ word, distance: editDistance(wrong.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= most && distance < word.length)
    .sort((one, other) => one.distance - other.distance);
  return best?.word;
}

/** `; did you mean port?`, or the list of all words if none is close. */
export function hint(wrong: string, words: readonly string[]): string {
  if (words.length === 0) return "";
  const near = nearest(wrong, words);
  if (near !== undefined) return `; did you mean ${near}?`;
  return `; expected ${words.length > 1 ? "one of " : ""}${words.join(", ")}`;
}

/** How many letters were added, left out or replaced. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

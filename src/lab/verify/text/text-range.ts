/** A part of a text. */
export interface TextRange {
  readonly from: number;
  /** The place after its last character. */
  readonly to: number;
}

/** A copy of a text, with the replacement in place of each range. The ranges may have any order. */
export function replaceRanges(text: string, ranges: readonly TextRange[], replacement: string): string {
  const sorted = [...ranges].sort((one, other) => one.from - other.from);
  let result = "";
  /** Where the ranges end that are in the result. */
  let end = 0;
  for (const { from, to } of sorted) {
    // It is in an earlier range.
    if (to <= end) continue;
    // Ranges that overlap have one replacement.
    if (from >= end) result += text.slice(end, from) + replacement;
    end = to;
  }
  return result + text.slice(end);
}

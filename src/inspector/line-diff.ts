/** A line of a comparison. A side that does not have it is undefined. */
export interface DiffLine {
  readonly left: string | undefined;
  readonly right: string | undefined;
}

/** With a larger table, finding the longest common subsequence takes too long. */
const maxCells = 1_000_000;

/** Compares two texts line by line, and aligns equal lines. */
export function diffLines(left: readonly string[], right: readonly string[]): readonly DiffLine[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  const rest = Math.min(left.length, right.length) - start;
  while (end < rest && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  const both = (line: string): DiffLine => ({ left: line, right: line });
  return [
    ...left.slice(0, start).map(both),
    ...diffMiddle(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...left.slice(left.length - end).map(both),
  ];
}

function diffMiddle(left: readonly string[], right: readonly string[]): DiffLine[] {
  if (left.length * right.length > maxCells) return paired(left, right);
  // lengths[i][j]: the length of the longest common subsequence of left from i on and right from j on.
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row !== undefined)
        row[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  let [onlyLeft, onlyRight]: [string[], string[]] = [[], []];
  const flush = () => {
    lines.push(...paired(onlyLeft, onlyRight));
    [onlyLeft, onlyRight] = [[], []];
  };
  while (i < left.length || j < right.length) {
    const [a, b] = [left[i], right[j]];
    if (a !== undefined && a === b) {
      flush();
      lines.push({ left: a, right: b });
      i++;
      j++;
    } else if (b === undefined || (a !== undefined && at(i + 1, j) >= at(i, j + 1))) {
      onlyLeft.push(a ?? "");
      i++;
    } else {
      onlyRight.push(b);
      j++;
    }
  }
  flush();
  return lines;
}

/** Aligns removed lines with added lines. */
function paired(left: readonly string[], right: readonly string[]): DiffLine[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => ({
    left: left[i],
    right: right[i],
  }));
}

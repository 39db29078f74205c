import { columns } from "../terminal.js";

/** What was found of one row and one column. */
export interface MatrixCell {
  readonly result: string;
  readonly label: string;
  /** The log of its run, and the world whose requests show what happened. */
  readonly log?: string;
  readonly world?: string;
  /** The command that repeats the run. */
  readonly repeat?: string;
}

/** All that was found: requests by failures, or assumptions by values. */
export interface Matrix {
  /** The titles of the columns: first those of `heads`. */
  readonly titles: readonly string[];
  readonly rows: readonly { readonly heads: readonly string[]; readonly cells: readonly MatrixCell[] }[];
}

/** For a screen. */
export function matrixLines({ titles, rows }: Matrix): string[] {
  return columns([
    [...titles],
    ...rows.map(({ heads, cells }) => [...heads, ...cells.map(({ label }) => label)]),
  ]);
}

/** How many rows a list has at first. More would make the page slow. */
export const firstRows = 200;

/** How many rows a click adds at most. */
const addedRows = 1_000;

interface EarlierButtonProps {
  /** How many rows are not shown. */
  readonly hidden: number;
  /** What the rows are. */
  readonly what: string;
  readonly show: (added: number) => void;
}

/** Shows earlier rows of a long list. */
export function EarlierButton({ hidden, what, show }: EarlierButtonProps) {
  const added = Math.min(hidden, addedRows);
  if (added === 0) return null;
  return (
    <button type="button" class="earlier" onClick={() => show(added)}>
      Show {added.toLocaleString("en")} earlier {what}
    </button>
  );
}

import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface ScrolledRows {
  readonly box: RefObject<HTMLElement | null>;
  readonly items: readonly { readonly key: string }[];
  /** The key of the row that was opened last. It keeps its position in the window. */
  readonly at: string | undefined;
  readonly rowHeight: number;
  /** The height of the box; 0 until it is known. */
  readonly boxHeight: number;
}

/** The rows of the last render. */
interface Shown extends Omit<ScrolledRows, "box"> {
  readonly top: number;
}

/**
 * The scroll position of a list whose rows change in number and height. The open row keeps its position in the window.
 * A row that a key or a link leads to is scrolled into view.
 */
export function useScrollPosition(rows: ScrolledRows) {
  const { box, items, at, rowHeight, boxHeight } = rows;
  const [top, setTop] = useState(0);
  const shown = useRef<Shown>({ ...rows, top: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    // A hidden list has no scroll position. The last one is restored when the list is shown again.
    if (element === null || element.clientHeight === 0) return;
    const last = shown.current;
    // The position of the element is exact, unless the browser has reduced it because the list became shorter.
    const before = last.rowHeight === rowHeight && element.scrollTop > 0 ? element.scrollTop : last.top;
    let next = before + shiftOf({ ...last, top: before }, rows);
    const index = items.findIndex(({ key }) => key === at);
    const isSettled =
      last.at === at &&
      last.rowHeight === rowHeight &&
      last.boxHeight === boxHeight &&
      last.items.some(({ key }) => key === at);
    if (index >= 0 && !isSettled) {
      next = Math.max(Math.min(next, index * rowHeight), (index + 1) * rowHeight - boxHeight);
    }
    if (next !== element.scrollTop) element.scrollTop = next;
    shown.current = { items, at, rowHeight, boxHeight, top: element.scrollTop };
    setTop(element.scrollTop);
  }, [items, at, rowHeight, boxHeight]);
  const onScroll = () => {
    const element = box.current;
    if (element === null || element.clientHeight === 0) return;
    shown.current = { ...shown.current, top: element.scrollTop };
    setTop(element.scrollTop);
  };
  return { top, onScroll };
}

/** By how many pixels the row that keeps its position has moved within the list. */
function shiftOf(last: Shown, { items, rowHeight }: ScrolledRows): number {
  // At the top of the list, new rows move the others down.
  if (last.top === 0 && last.rowHeight === rowHeight) return 0;
  const firstIndex = Math.ceil(last.top / last.rowHeight);
  const endIndex = Math.floor((last.top + last.boxHeight) / last.rowHeight);
  const inView = last.items.slice(firstIndex, Math.max(endIndex, firstIndex + 1));
  const newIndexes = new Map(items.map(({ key }, index) => [key, index]));
  const kept =
    inView.find(({ key }) => key === last.at && newIndexes.has(key)) ??
    inView.find(({ key }) => newIndexes.has(key));
  if (kept === undefined) return 0;
  const oldIndex = firstIndex + inView.indexOf(kept);
  return (newIndexes.get(kept.key) ?? 0) * rowHeight - oldIndex * last.rowHeight;
}

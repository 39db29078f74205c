import { useState } from "preact/hooks";

const storageKey = "usergroup-mock list width";
const [min, max, initial, step] = [20, 75, 40, 2];

/** The width of the list beside an open request, in percent. The browser remembers it. */
export function useListWidth(): [width: number, change: (width: number) => void] {
  const [width, setWidth] = useState(readWidth);
  return [
    width,
    (wanted) => {
      const next = Math.round(Math.min(max, Math.max(min, wanted)));
      setWidth(next);
      try {
        localStorage.setItem(storageKey, String(next));
      } catch {
        // Some browsers have no storage for pages from a file. The width lasts until the page is closed.
      }
    },
  ];
}

function readWidth(): number {
  try {
    return Number(localStorage.getItem(storageKey) ?? initial) || initial;
  } catch {
    return initial;
  }
}

interface DividerProps {
  readonly width: number;
  readonly change: (width: number) => void;
}

/** Resizes the list: by dragging, with the arrow keys, or with a double click for the initial width. */
export function Divider({ width, change }: DividerProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be moved.
    <div
      class="divider"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the list"
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={({ currentTarget, pointerId, clientX }) => {
        const area = currentTarget.parentElement?.getBoundingClientRect();
        if (!currentTarget.hasPointerCapture(pointerId) || area === undefined) return;
        change((100 * (clientX - area.left)) / area.width);
      }}
      onDblClick={() => change(initial)}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -step, ArrowRight: step }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        change(width + by);
      }}
    />
  );
}

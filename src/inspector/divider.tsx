import { useState } from "preact/hooks";

const storageKey = "usergroup-mock list width";
const [least, most, usual, step] = [20, 75, 40, 2];

/** The width of the list beside an open request, in percent. The browser remembers it. */
export function useListWidth(): [width: number, change: (width: number) => void] {
  const [width, setWidth] = useState(readWidth);
  return [
    width,
    (wanted) => {
      const next = Math.round(Math.min(most, Math.max(least, wanted)));
      setWidth(next);
      try {
        localStorage.setItem(storageKey, String(next));
      } catch {
        // Some browsers keep nothing for a file: the width lasts until the page is closed.
      }
    },
  ];
}

function readWidth(): number {
  try {
    return Number(localStorage.getItem(storageKey) ?? usual) || usual;
  } catch {
    return usual;
  }
}

interface DividerProps {
  readonly width: number;
  readonly change: (width: number) => void;
}

/** Between list and request: dragged with the pointer, moved with the arrow keys, reset with a double click. */
export function Divider({ width, change }: DividerProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is no <hr>.
    <div
      class="divider"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the list"
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={most}
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
      onDblClick={() => change(usual)}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -step, ArrowRight: step }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        change(width + by);
      }}
    />
  );
}

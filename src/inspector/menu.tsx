import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

interface MenuProps {
  readonly label: string;
  readonly title?: string;
  /** Buttons and links. A click on one closes the menu. */
  readonly children: ComponentChildren;
}

/** A button that opens a short list of actions. The browser closes it with Escape, or at a click elsewhere. */
export function Menu({ label, title, children }: MenuProps) {
  const id = useId();
  const items = useRef<HTMLDivElement>(null);
  return (
    <div class="menu">
      <button type="button" title={title} popovertarget={id}>
        {label} <span aria-hidden="true">▾</span>
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the items are buttons and links. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key on an item is a click too. */}
      <div
        popover="auto"
        id={id}
        ref={items}
        class="items"
        onBeforeToggle={({ currentTarget }) => placeBelow(currentTarget)}
        onClick={() => items.current?.hidePopover()}
      >
        {children}
      </div>
    </div>
  );
}

/** Places the items below their button, from its left or to its right edge. */
function placeBelow(items: HTMLElement): void {
  const { left, right, bottom } = items.previousElementSibling?.getBoundingClientRect() ?? new DOMRect();
  const { clientWidth } = document.documentElement;
  const sides = left > clientWidth / 2 ? `${clientWidth - right}px auto auto` : `auto auto ${left}px`;
  items.style.inset = `${bottom}px ${sides}`;
}

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
        onBeforeToggle={({ currentTarget }) => placeBeside(currentTarget)}
        onClick={() => items.current?.hidePopover()}
      >
        {children}
      </div>
    </div>
  );
}

/** Places the items at the side of their button where there is more space. */
function placeBeside(items: HTMLElement): void {
  const { left, right, top, bottom } = items.previousElementSibling?.getBoundingClientRect() ?? new DOMRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const x = left > clientWidth / 2 ? ["auto", `${clientWidth - right}px`] : [`${left}px`, "auto"];
  const y = top > clientHeight / 2 ? ["auto", `${clientHeight - top}px`] : [`${bottom}px`, "auto"];
  items.style.inset = `${y[0]} ${x[1]} ${y[1]} ${x[0]}`;
}

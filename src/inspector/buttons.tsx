import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { copyText } from "./clipboard.js";
import type { LiveWorld } from "./live-world.js";

interface CopyButtonProps {
  readonly live: LiveWorld;
  readonly text: string;
  /** What was copied, in words. */
  readonly what: string;
  /** Whether the text is there yet. */
  readonly isReady?: boolean;
  readonly children: ComponentChildren;
}

export function CopyButton({ live, text, what, isReady = true, children }: CopyButtonProps) {
  return (
    <button
      type="button"
      disabled={!isReady}
      onClick={() => live.act(() => copyText(text), `Copied ${what}.`)}
    >
      {children}
    </button>
  );
}

interface ConfirmButtonProps {
  readonly label: string;
  /** What it asks before it acts. */
  readonly question: string;
  readonly title: string;
  readonly act: () => void;
}

/** Asks once more before it does what cannot be undone. Both labels take the same place, so that nothing moves. */
export function ConfirmButton({ label, question, title, act }: ConfirmButtonProps) {
  const [asking, setAsking] = useState(false);
  const press = () => {
    if (asking) act();
    setAsking(!asking);
  };
  return (
    <button
      type="button"
      class={asking ? "confirm asking" : "confirm"}
      title={title}
      onClick={press}
      onBlur={() => setAsking(false)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !asking) return;
        event.stopPropagation();
        setAsking(false);
      }}
    >
      <span aria-hidden={asking}>{label}</span>
      <span aria-hidden={!asking}>{question}</span>
    </button>
  );
}

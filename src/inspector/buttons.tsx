import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { copyText } from "./clipboard.js";
import type { WorldStore } from "./world-store.js";

interface CopyButtonProps {
  readonly store: WorldStore;
  readonly text: string;
  /** Completes the label “Copy …” and the message “Copied …”. */
  readonly what: string;
  /** False while the text is still loading. */
  readonly isReady?: boolean;
  /** Another label than “Copy”. */
  readonly children?: ComponentChildren;
}

export function CopyButton({ store, text, what, isReady = true, children }: CopyButtonProps) {
  return (
    <button
      type="button"
      disabled={!isReady}
      onClick={() => store.act(() => copyText(text), `Copied ${what}.`)}
    >
      {children ?? (
        <>
          Copy<span class="off-screen"> {what}</span>
        </>
      )}
    </button>
  );
}

interface ConfirmButtonProps {
  readonly label: string;
  /** The label after the first click. */
  readonly question: string;
  readonly title: string;
  readonly act: () => void;
}

/** Needs a second click to confirm. Both labels have the same size, so the layout does not shift. */
export function ConfirmButton({ label, question, title, act }: ConfirmButtonProps) {
  const [asking, setAsking] = useState(false);
  const onClick = () => {
    if (asking) act();
    setAsking(!asking);
  };
  return (
    <button
      type="button"
      class={asking ? "confirm asking" : "confirm"}
      title={title}
      onClick={onClick}
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

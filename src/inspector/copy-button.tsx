import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useStore } from "./store.js";

/** How long the button says that it has copied, in milliseconds. */
const shownMs = 3_000;

interface CopyButtonProps {
  readonly text: string;
  /** Completes the label “Copy …”. */
  readonly what: string;
  /** Shown after “Copied.”. */
  readonly remark?: string;
  /** By default a small icon. */
  readonly children?: ComponentChildren;
}

export function CopyButton({ text, what, remark = "", children }: CopyButtonProps) {
  const store = useStore();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => store.act(() => copyText(text).then(() => setIsCopied(true)));
  return (
    <>
      <button
        type="button"
        class={children === undefined ? "icon" : undefined}
        title={`Copy ${what}`}
        onClick={copy}
      >
        {children ?? <CopyIcon what={what} />}
      </button>
      <small role="status">{isCopied && `Copied.${remark}`}</small>
    </>
  );
}

function CopyIcon({ what }: { readonly what: string }) {
  return (
    <>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d="M5.5 5.5h8v8h-8zM2.5 10.5v-8h8" fill="none" stroke="currentColor" />
      </svg>
      <span class="off-screen">Copy {what}</span>
    </>
  );
}

/** Browsers offer `navigator.clipboard` only on HTTPS and localhost, so this has a fallback. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "off-screen";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (!copied) throw new Error("The browser blocked copying. Open the inspector on localhost or over HTTPS.");
}

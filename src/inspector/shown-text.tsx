import { useState } from "preact/hooks";
import { counted } from "../foundation/grammar.js";
import { printable } from "../foundation/printable.js";
import type { VerdictPart } from "../report/report-data.js";
import { shortenTokens } from "../report/shorten-tokens.js";
import { useStore } from "./store.js";

const invisible = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}])/u;

/** Longer values are cut. */
export const maxLength = 200;
/** Longer lines that are no values, such as those of an error, are cut. */
const maxLineLength = 1_000;
/** Further rows are shown on request: they make the page slow. */
const maxRows = 500;

export function cutLine(text: string): string {
  return text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text;
}

/** Text from a client on one line. Its direction does not affect the text around it. */
export function Name({ text }: { readonly text: string }) {
  return <bdi>{showName(text)}</bdi>;
}

/** Invisible characters and characters that change the text direction are escaped. */
export function showName(text: string) {
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return invisible.test(shown) ? showInvisible(shown) : shown;
}

/** The same with a button that shows all of a long text. */
export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  if (isWhole) return <bdi>{showInvisible(text)}</bdi>;
  return (
    <>
      <Name text={text} />
      {text.length > maxLength && (
        <ShowAll what={counted(text.length, "character")} show={() => setIsWhole(true)} />
      )}
    </>
  );
}

interface ShowAllProps {
  /** Such as `1200 characters`. */
  readonly what: string;
  readonly show: () => void;
}

/** The sign of a cut. */
export function ShowAll({ what, show }: ShowAllProps) {
  return (
    <button type="button" class="show-all" onClick={show}>
      show all {what}
    </button>
  );
}

/** The first items of a list. With the button below them, the reader gets the others. */
export function useFirst<Item>(all: readonly Item[], what: string) {
  const [isWhole, setIsWhole] = useState(false);
  const isCut = !isWhole && all.length > maxRows;
  return {
    first: isCut ? all.slice(0, maxRows) : all,
    others: isCut && <ShowAll what={counted(all.length, what)} show={() => setIsWhole(true)} />,
  };
}

/** Text with its invisible characters escaped and highlighted. Line breaks stay. */
export function showInvisible(text: string) {
  return text
    .split(invisible)
    .map((part, i) =>
      i % 2 === 0 || part === "\n" ? part : <span class="invisible">{printable(part)}</span>,
    );
}

/** A sentence about requests, with a link to each. `release()` is set as code. */
export function Sentence({ parts }: { readonly parts: readonly VerdictPart[] }) {
  return (
    <>
      {parts.map((part) =>
        typeof part === "string" ? (
          shortenTokens(part)
            .split(/`(\w+\(\))`/)
            .map((text, i) => (i % 2 === 0 ? showInvisible(text) : <code>{text}</code>))
        ) : (
          <RequestLink id={part.request} />
        ),
      )}
    </>
  );
}

/** A request that is open already gets the focus again. Another one gets it when it is shown. */
export function focusDetail(): void {
  document.querySelector<HTMLElement>(".detail")?.focus({ preventScroll: true });
}

/** A link to a request of the shown test. */
export function RequestLink({ id }: { readonly id: number }) {
  const store = useStore();
  const { view } = store.state.route;
  const isOpen = view.name === "requests" && view.request === id;
  return (
    <a
      class="request"
      href={store.requestHref(id)}
      aria-current={isOpen ? "true" : undefined}
      onClick={isOpen ? focusDetail : undefined}
    >
      #{id}
    </a>
  );
}

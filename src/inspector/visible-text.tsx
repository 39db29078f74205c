import { printable } from "../foundation/printable.js";

const unseen = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}])/u;

/** Longer text makes rows and tables slow, and nobody reads it there. */
const maxShownLength = 200;

/**
 * What callers sent, in one line: with marks for characters that cannot be seen or that turn the text around, and in a
 * direction of its own, so that it changes nothing beside it.
 */
export function Name({ text, isWhole = false }: { readonly text: string; readonly isWhole?: boolean }) {
  const shown = text.length > maxShownLength && !isWhole ? `${text.slice(0, maxShownLength)}…` : text;
  return <bdi>{unseen.test(shown) ? marked(shown) : shown}</bdi>;
}

/** Text with a mark for every character that cannot be seen; lines stay lines. */
export function marked(text: string) {
  return text
    .split(unseen)
    .map((part, i) => (i % 2 === 0 || part === "\n" ? part : <span class="unseen">{printable(part)}</span>));
}

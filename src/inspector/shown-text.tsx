import { printable } from "../foundation/printable.js";
import { useStore } from "./store.js";

const invisible = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}])/u;

/** Longer text makes rows and tables slow. */
const maxShownLength = 200;

/**
 * Text from a client on one line. Invisible characters and characters that change the text direction are escaped, and
 * its direction does not affect the text around it.
 */
export function Name({ text, isWhole = false }: { readonly text: string; readonly isWhole?: boolean }) {
  const shown = text.length > maxShownLength && !isWhole ? `${text.slice(0, maxShownLength)}…` : text;
  return <bdi>{invisible.test(shown) ? showInvisible(shown) : shown}</bdi>;
}

/** Text with its invisible characters escaped and highlighted. Line breaks stay. */
export function showInvisible(text: string) {
  return text
    .split(invisible)
    .map((part, i) =>
      i % 2 === 0 || part === "\n" ? part : <span class="invisible">{printable(part)}</span>,
    );
}

/** A text in which `#3` links to that request. */
export function RequestLinks({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split(/(?<![\w&/])#(\d{1,9})\b/)
        .map((part, i) => (i % 2 === 0 ? showInvisible(part) : <RequestLink id={Number(part)} />))}
    </>
  );
}

/** A link to a request of the shown test. */
export function RequestLink({ id }: { readonly id: number }) {
  const store = useStore();
  const { view } = store.state.route;
  const isOpen = view.name === "requests" && view.request === id;
  return (
    <a class="request" href={store.requestHref(id)} aria-current={isOpen ? "true" : undefined}>
      #{id}
    </a>
  );
}

import { showInvisible } from "./shown-text.js";
import { useStore } from "./store.js";

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

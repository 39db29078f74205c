import { useEffect, useRef } from "preact/hooks";
import type { JournalEntry } from "../generated/types.js";
import { kindOf } from "./request-facts.js";
import { readRoute } from "./route.js";
import { useStore } from "./store.js";

/** `/` goes to the search, `Esc` back to the list of requests. */
export function usePageKeys(): void {
  const store = useStore();
  useKeyDown((event) => {
    const { view } = store.state.route;
    if (event.key === "/") {
      event.preventDefault();
      document.querySelector<HTMLInputElement>("[type=search]")?.select();
    } else if (
      event.key === "Escape" &&
      !document.querySelector(":popover-open") &&
      (view.name !== "requests" || view.request !== undefined)
    ) {
      location.hash = store.requestHref(undefined);
    }
  });
}

/**
 * `j` and `k` open the next and the previous request of the list, `n` the next rejected one.
 * @param open the id of the open request
 */
export function useListKeys(list: readonly JournalEntry[], open: number | undefined): void {
  const store = useStore();
  useKeyDown(({ key }) => {
    // The URL is ahead of what is shown if keys are pressed fast.
    const { view } = readRoute(location.hash);
    const chosen = view.name === "requests" ? view.request : undefined;
    const at = list.findIndex(({ id }) => id === (chosen ?? open));
    const rest = list.slice(at + 1);
    const rejected = rest.find((entry) => kindOf(entry) === "rejected");
    const found = new Map([
      ["j", rest[0]],
      ["k", list[at - 1]],
      ["n", rejected],
    ]).get(key);
    if (found !== undefined) location.hash = store.requestHref(found.id);
  });
}

/** Keys that are typed into a field, or that belong to the browser, do not count. Escape leaves a field. */
function useKeyDown(onKey: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { altKey, ctrlKey, metaKey, target } = event;
      const isTyping = target instanceof HTMLElement && target.matches("[type=search], select");
      if (isTyping && event.key === "Escape") target.blur();
      if (!altKey && !ctrlKey && !metaKey && !isTyping) latest.current(event);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

import { useEffect } from "preact/hooks";
import type { JournalEntry } from "../generated/types.js";
import { readRoute } from "./route.js";
import { useStore } from "./store.js";

/**
 * `/` goes to the search, `j` and `k` open the next and the previous request of the list. Keys that are typed into the
 * search, or that belong to the browser, do not count.
 * @param open the id of the open request
 */
export function useKeys(list: readonly JournalEntry[], open: number | undefined): void {
  const store = useStore();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, altKey, ctrlKey, metaKey, target } = event;
      const isTyping = target instanceof HTMLElement && target.matches("[type=search]");
      if (altKey || ctrlKey || metaKey || isTyping) return;
      if (key === "/") {
        event.preventDefault();
        document.querySelector<HTMLInputElement>("[type=search]")?.select();
      }
      // The URL is ahead of what is shown if keys are pressed fast.
      const { view } = readRoute(location.hash);
      const chosen = view.name === "requests" ? view.request : undefined;
      const at = list.findIndex(({ id }) => id === (chosen ?? open));
      const places: Partial<Record<string, number>> = { j: at + 1, k: at - 1 };
      const found = list[places[key] ?? -1];
      if (found !== undefined) location.hash = store.requestHref(found.id);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  });
}

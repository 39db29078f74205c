import type { Fault } from "../generated/types.js";
import type { Entry } from "./journal/journal.js";

/** What happens in a world, as it happens. */
export type WorldEvent =
  | { readonly type: "request"; readonly entry: Entry }
  | { readonly type: "fault"; readonly fault: Fault }
  | {
      readonly type: "change";
      readonly what: "reset" | "loaded" | "added" | "dropped" | "cleared" | "assumed";
    };

export interface Listener {
  readonly notify: (event: WorldEvent) => void;
  /** Called when the world is dropped or the server stops. */
  readonly end: () => void;
}

/** The listeners of a world. A reset does not remove them. */
export class Events {
  readonly #listeners = new Set<Listener>();

  /** Returns a function that stops listening. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: WorldEvent): void {
    for (const listener of this.#listeners) listener.notify(event);
  }

  end(): void {
    for (const listener of this.#listeners) listener.end();
    this.#listeners.clear();
  }
}

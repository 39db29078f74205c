import type { Fault } from "../contract/types.js";
import type { Entry } from "./journal.js";

/** What happens in a world, as it happens. */
export type WorldEvent =
  | { readonly type: "request"; readonly entry: Entry }
  | { readonly type: "fault"; readonly fault: Fault }
  | { readonly type: "change"; readonly what: Change };

export type Change = "reset" | "loaded" | "restored" | "cleared" | "assumed";

export interface Listener {
  readonly tell: (event: WorldEvent) => void;
  /** The world is gone. */
  readonly end: () => void;
}

/** Those who watch a world. They stay over a reset. */
export class Events {
  readonly #listeners = new Set<Listener>();

  /** Gives a function that stops listening. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether anybody watches: asked before an event is made for every call. */
  get watched(): boolean {
    return this.#listeners.size > 0;
  }

  tell(event: WorldEvent): void {
    for (const listener of this.#listeners) listener.tell(event);
  }

  end(): void {
    for (const listener of this.#listeners) listener.end();
    this.#listeners.clear();
  }
}

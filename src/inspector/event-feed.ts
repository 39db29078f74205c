import type { JournalEntry } from "../generated/types.js";

const retryMs = 500;

interface FeedListener {
  /** The stream reports everything from now on. */
  opened(): void;
  /** The server does not respond. The stream is opened again soon. */
  lost(): void;
  request(entry: JournalEntry): void;
  faultsChanged(): void;
  worldChanged(what: string): void;
}

type State =
  | { readonly is: "closed" | "ended" }
  | { readonly is: "opening" | "open"; readonly source: EventSource }
  | { readonly is: "waiting"; readonly timer: number };

/**
 * The event stream of a world.
 *
 * | state         | event      | next state                  |
 * | ------------- | ---------- | --------------------------- |
 * | closed        | open()     | opening                     |
 * | opening       | opened     | open                        |
 * | opening, open | an error   | waiting                     |
 * | waiting       | after 0.5s | opening                     |
 * | any           | close()    | closed                      |
 * | any           | end()      | ended: it never opens again |
 */
export class EventFeed {
  #state: State = { is: "closed" };
  readonly #listener: FeedListener;

  constructor(listener: FeedListener) {
    this.#listener = listener;
  }

  /** Undefined while the stream is neither open nor ended. */
  get connection(): "live" | "dropped" | undefined {
    return { open: "live" as const, ended: "dropped" as const }[String(this.#state.is)];
  }

  open(): void {
    if (this.#state.is === "ended") return;
    this.close();
    const source = new EventSource("./events");
    this.#state = { is: "opening", source };
    const { request, faultsChanged, worldChanged } = this.#listener;
    source.onopen = () => {
      this.#state = { is: "open", source };
      this.#listener.opened();
    };
    source.onerror = () => this.fail();
    source.addEventListener("request", ({ data }) => request(JSON.parse(data)));
    source.addEventListener("fault", () => faultsChanged());
    source.addEventListener("change", ({ data }) => worldChanged(JSON.parse(data).what));
  }

  /** Reopens the stream after a while. Also called when a request beside the stream fails. */
  fail(): void {
    if (this.#state.is !== "opening" && this.#state.is !== "open") return;
    this.close();
    this.#state = { is: "waiting", timer: setTimeout(() => this.open(), retryMs) };
    this.#listener.lost();
  }

  close(): void {
    if (this.#state.is === "ended") return;
    if ("timer" in this.#state) clearTimeout(this.#state.timer);
    if ("source" in this.#state) this.#state.source.close();
    this.#state = { is: "closed" };
  }

  end(): void {
    this.close();
    this.#state = { is: "ended" };
  }
}

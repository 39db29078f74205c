import type { JournalEntry } from "../generated/types.js";

const retryMs = 500;

interface FeedListener {
  /** The stream is being opened. What happens from now on will be reported. */
  opening(): void;
  opened(): void;
  /** The server does not answer. The stream is opened again soon. */
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

  get isOpen(): boolean {
    return this.#state.is === "open";
  }

  get hasEnded(): boolean {
    return this.#state.is === "ended";
  }

  open(): void {
    if (this.hasEnded) return;
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
    this.#listener.opening();
  }

  /** Something that was read beside the stream could not be read: it is all read again. */
  fail(): void {
    if (this.#state.is !== "opening" && this.#state.is !== "open") return;
    this.close();
    this.#state = { is: "waiting", timer: setTimeout(() => this.open(), retryMs) };
    this.#listener.lost();
  }

  close(): void {
    if (this.hasEnded) return;
    if ("timer" in this.#state) clearTimeout(this.#state.timer);
    if ("source" in this.#state) this.#state.source.close();
    this.#state = { is: "closed" };
  }

  end(): void {
    this.close();
    this.#state = { is: "ended" };
  }
}

import type { JournalEntry } from "../generated/types.js";

interface FeedListener {
  /** The stream reports everything from now on. */
  opened(): void;
  /** The stream has ended: the server has stopped, or the connection is broken. */
  lost(): void;
  request(entry: JournalEntry): void;
  faultsChanged(): void;
  worldChanged(what: string): void;
}

/** The event stream of a world. It is not opened again by itself: the world may have been dropped. */
export class EventFeed {
  #source: EventSource | undefined;
  readonly #listener: FeedListener;

  constructor(listener: FeedListener) {
    this.#listener = listener;
  }

  /** Whether the stream is open or opens. */
  get isOpen(): boolean {
    return this.#source !== undefined;
  }

  /** @param url of the admin API of a world that exists */
  open(url: string): void {
    this.close();
    const source = new EventSource(`${url}/events`);
    this.#source = source;
    const { request, faultsChanged, worldChanged } = this.#listener;
    source.onopen = () => this.#listener.opened();
    source.onerror = () => {
      this.close();
      this.#listener.lost();
    };
    source.addEventListener("request", ({ data }) => request(JSON.parse(data)));
    source.addEventListener("fault", () => faultsChanged());
    source.addEventListener("change", ({ data }) => worldChanged(JSON.parse(data).what));
  }

  close(): void {
    this.#source?.close();
    this.#source = undefined;
  }
}

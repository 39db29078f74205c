import type { AssumptionEntry, Fault, FixtureTeam, GroupDetail, JournalEntry } from "../contract/types.js";
import { adminApi } from "./admin-api.js";
import { merge } from "./journal-filter.js";

/** What is known of the world now. */
export interface Known {
  readonly link: "connecting" | "live" | "lost";
  /** Newest first. */
  readonly entries: readonly JournalEntry[];
  readonly dropped: number;
  readonly groups: readonly GroupDetail[];
  readonly teams: readonly FixtureTeam[];
  readonly faults: readonly Fault[];
  readonly assumptions: readonly AssumptionEntry[];
  readonly version: string;
  /** Whether anything has been loaded yet. */
  readonly loaded: boolean;
  /** What was said last, for everybody to see and for screen readers to read. */
  readonly said: { readonly text: string; readonly failed: boolean };
}

const nothing: Known = {
  link: "connecting",
  entries: [],
  dropped: 0,
  groups: [],
  teams: [],
  faults: [],
  assumptions: [],
  version: "",
  loaded: false,
  said: { text: "", failed: false },
};

/** What the journal keeps unless the server was told otherwise. */
const usualJournal = 1_000;
/** A burst of calls becomes one rendering. */
const gatherMs = 40;
const sayForMs = 5_000;
const retryMs = 500;

const arrivals = new WeakMap<JournalEntry, number>();

/** Whether an entry has only just arrived. */
export function isFresh(entry: JournalEntry): boolean {
  return performance.now() - (arrivals.get(entry) ?? Number.NEGATIVE_INFINITY) < 1_200;
}

/** A world, followed as it changes. */
export class LiveWorld {
  #known = nothing;
  #changed: () => void = () => {};
  #source: EventSource | undefined;
  #retry = 0;
  /** Counts loads: what an older one brings is of no use any more. */
  #load = 0;
  /** What arrived and is not among the entries yet. */
  #arrived: JournalEntry[] = [];
  #journalSize = usualJournal;
  #saying = 0;
  readonly #waiting = new Map<string, number>();
  /** How long each refresh took the last time. */
  readonly #took = new Map<string, number>();

  get known(): Known {
    return this.#known;
  }

  /** Gives a function that stops it. */
  follow(changed: () => void): () => void {
    this.#changed = changed;
    // A browser opens six connections to a server at most: pages that nobody sees must not use them up.
    const see = () => (document.hidden ? this.#close() : this.#open());
    document.addEventListener("visibilitychange", see);
    see();
    return () => {
      document.removeEventListener("visibilitychange", see);
      this.#close();
    };
  }

  /** Does something, says what was done, and says why where it could not be done. */
  async act(doing: () => Promise<unknown>, done = ""): Promise<void> {
    try {
      await doing();
      if (done !== "") this.say(done);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), true);
    }
  }

  say(text: string, failed = false): void {
    this.#set({ said: { text, failed } });
    clearTimeout(this.#saying);
    this.#saying = setTimeout(() => this.#set({ said: nothing.said }), sayForMs);
  }

  refreshFaults(): Promise<void> {
    return this.#refresh(async () => {
      const [{ faults }, { requests }] = await Promise.all([adminApi.faults(), adminApi.pending()]);
      return { faults, entries: merge(this.#known.entries, requests, this.#journalSize) };
    });
  }

  refreshAssumptions(): Promise<void> {
    return this.#refresh(adminApi.assumptions);
  }

  #set(part: Partial<Known>): void {
    this.#known = { ...this.#known, ...part };
    this.#changed();
  }

  #open(): void {
    this.#close();
    const source = new EventSource("./events");
    this.#source = source;
    // Also after a break: another server may have taken the place of the one before, so nothing that is here counts.
    source.onopen = () => void this.#loadAll();
    source.onerror = () => {
      this.#close();
      this.#set({ link: "lost" });
      this.#retry = setTimeout(() => this.#open(), retryMs);
    };
    source.addEventListener("request", ({ data }) => this.#arrive(JSON.parse(data)));
    source.addEventListener("fault", () => this.#soon("faults", () => this.refreshFaults()));
    source.addEventListener("change", ({ data }) => {
      const { what } = JSON.parse(data);
      if (what === "assumed") void this.refreshAssumptions();
      else void this.#loadAll();
    });
  }

  #close(): void {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = undefined;
    this.#load++;
  }

  async #loadAll(): Promise<void> {
    const load = ++this.#load;
    this.#arrived = [];
    try {
      const [journal, { groups }, { teams = [] }, { faults }, { assumptions }, { version }] =
        await Promise.all([
          adminApi.requests(),
          adminApi.groups(),
          adminApi.state(),
          adminApi.faults(),
          adminApi.assumptions(),
          adminApi.health(),
        ]);
      if (load !== this.#load) return;
      this.#journalSize = Math.max(usualJournal, journal.requests.length);
      const entries = merge(journal.requests.toReversed(), this.#arrived, this.#journalSize);
      const { dropped } = journal;
      this.#set({
        entries,
        dropped,
        groups,
        teams,
        faults,
        assumptions,
        version,
        loaded: true,
        link: "live",
      });
    } catch (error) {
      if (load !== this.#load) return;
      this.#source?.onerror?.(new Event("error"));
      this.say(`The world could not be read: ${error instanceof Error ? error.message : error}`, true);
    }
  }

  #arrive(entry: JournalEntry): void {
    arrivals.set(entry, performance.now());
    this.#arrived.push(entry);
    this.#soon("entries", async () => {
      const { entries: before, dropped } = this.#known;
      const ids = new Set([...before, ...this.#arrived].map(({ id }) => id));
      const entries = merge(before, this.#arrived, this.#journalSize);
      this.#arrived = [];
      this.#set({ entries, dropped: dropped + ids.size - entries.length });
    });
    if (entry.fault !== null) this.#soon("faults", () => this.refreshFaults());
    if (entry.outcome !== "failure") this.#soon("groups", () => this.#refresh(adminApi.groups));
  }

  async #refresh(read: () => Promise<Partial<Known>>): Promise<void> {
    const load = this.#load;
    try {
      const part = await read();
      if (load === this.#load) this.#set(part);
    } catch {
      // The stream breaks too when the server is gone, and loads everything when it is back.
    }
  }

  /** Once for many reasons, a little later; and the longer, the longer it took the last time. */
  #soon(name: string, work: () => Promise<void>): void {
    if (this.#waiting.has(name)) return;
    const took = this.#took.get(name) ?? 0;
    const timer = setTimeout(
      async () => {
        this.#waiting.delete(name);
        const began = performance.now();
        await work();
        this.#took.set(name, performance.now() - began);
      },
      Math.max(gatherMs, took * 5),
    );
    this.#waiting.set(name, timer);
  }
}

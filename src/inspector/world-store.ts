import { defaultWorld } from "../contract/world-name.js";
import type {
  AssumptionEntry,
  Fault,
  FixtureTeam,
  GroupDetail,
  HistoryItem,
  JournalEntry,
} from "../generated/types.js";
import { admin } from "./admin-api.js";
import { isReport } from "./embedded-report.js";
import { merge } from "./journal-filter.js";
import { worldName } from "./place.js";

/** The state of the world as this page knows it. */
export interface Known {
  readonly connection: "connecting" | "live" | "lost" | "dropped" | "report";
  /** The number of the epoch that goes on. */
  readonly epoch: number | undefined;
  /** Newest first. */
  readonly entries: readonly JournalEntry[];
  readonly dropped: number;
  /** The journals before earlier resets, newest first. */
  readonly history: readonly HistoryItem[];
  readonly groups: readonly GroupDetail[];
  /** How many groups there are; more than `groups` has while nobody looks at them. */
  readonly groupCount: number;
  readonly teams: readonly FixtureTeam[];
  readonly faults: readonly Fault[];
  readonly assumptions: readonly AssumptionEntry[];
  readonly version: string;
  /** False until the first load succeeds. */
  readonly loaded: boolean;
  /** The entries that the journal showed when it was paused. */
  readonly paused: readonly JournalEntry[] | undefined;
  /** The last status message. Screen readers announce it. */
  readonly toast: { readonly text: string; readonly failed: boolean };
}

const initial: Known = {
  connection: "connecting",
  epoch: undefined,
  entries: [],
  dropped: 0,
  history: [],
  groups: [],
  groupCount: 0,
  teams: [],
  faults: [],
  assumptions: [],
  version: "",
  loaded: false,
  paused: undefined,
  toast: { text: "", failed: false },
};

/** The default of --journal-size. */
const defaultJournalSize = 1_000;
/** Renders a burst of calls once. */
const debounceMs = 40;
const toastMs = 5_000;
const retryMs = 500;
/** Groups are fetched whole, so not more often than this. */
const groupsMs = 1_000;

const arrivals = new WeakMap<JournalEntry, number>();

/** Whether to highlight an entry as new. */
export function isFresh(entry: JournalEntry): boolean {
  return performance.now() - (arrivals.get(entry) ?? Number.NEGATIVE_INFINITY) < 1_200;
}

/** Whether the server does not know this world, or no longer. */
async function isGone(): Promise<boolean> {
  try {
    const { worlds } = await admin("listWorlds", {});
    return !worlds.some(({ name }) => name === worldName);
  } catch {
    return false;
  }
}

/** Loads a world and keeps it up to date with the event stream. */
export class WorldStore {
  #known = initial;
  #changed: () => void = () => {};
  #source: EventSource | undefined;
  #retry = 0;
  #isDropped = false;
  #isLoading = false;
  #showsGroups = false;
  /** Whether the groups have changed since they were fetched. */
  #hasOldGroups = false;
  /** Id of the latest load. Results of earlier loads are ignored. */
  #loadId = 0;
  /** New entries that are not rendered yet. */
  #newEntries: JournalEntry[] = [];
  #journalSize = defaultJournalSize;
  #toastTimer = 0;
  readonly #timers = new Map<string, number>();
  /** Duration of the last run of each refresh, in ms. */
  readonly #durations = new Map<string, number>();

  get known(): Known {
    return this.#known;
  }

  /** The first API token of the world; empty before it is known. */
  get apiToken(): string {
    return this.#known.teams.flatMap(({ api_tokens }) => api_tokens)[0] ?? "";
  }

  /** Returns a function that stops it. */
  follow(changed: () => void): () => void {
    this.#changed = changed;
    if (isReport) {
      void this.#loadAll();
      return () => {};
    }
    // A browser opens at most six HTTP/1.1 connections per server, so hidden tabs must not hold one.
    const update = () => (document.hidden ? this.#close() : void this.#open());
    document.addEventListener("visibilitychange", update);
    update();
    return () => {
      document.removeEventListener("visibilitychange", update);
      this.#close();
    };
  }

  /** Runs an action and announces its success or its error. */
  async act(action: () => Promise<unknown>, successText = ""): Promise<void> {
    try {
      await action();
      if (successText !== "") this.announce(successText);
    } catch (error) {
      this.announce(error instanceof Error ? error.message : String(error), true);
    }
  }

  announce(text: string, failed = false): void {
    this.#set({ toast: { text, failed } });
    clearTimeout(this.#toastTimer);
    this.#toastTimer = setTimeout(() => this.#set({ toast: initial.toast }), toastMs);
  }

  refreshFaults(): Promise<void> {
    return this.#refresh(async () => {
      const [{ faults }, { requests }] = await Promise.all([
        admin("listFaults", {}),
        admin("listRequests", { query: { outcome: "pending" } }),
      ]);
      return { faults, entries: merge(this.#known.entries, requests, this.#journalSize) };
    });
  }

  /** The groups view is open: groups are kept up to date until the returned function is called. */
  watchGroups(): () => void {
    this.#showsGroups = true;
    if (this.#hasOldGroups) void this.#refreshGroups();
    return () => {
      this.#showsGroups = false;
    };
  }

  /** The list stays as it is; what happens goes on. */
  pause(paused: readonly JournalEntry[] | undefined): void {
    this.#set({ paused });
  }

  #refreshGroups(): Promise<void> {
    this.#hasOldGroups = false;
    return this.#refresh(async () => {
      const { groups } = await admin("listGroups", {});
      return { groups, groupCount: groups.length };
    });
  }

  refreshAssumptions(): Promise<void> {
    return this.#refresh(() => admin("listAssumptions", {}));
  }

  #set(part: Partial<Known>): void {
    this.#known = { ...this.#known, ...part };
    this.#changed();
  }

  async #open(): Promise<void> {
    if (this.#isDropped) return;
    this.#close();
    const load = this.#loadId;
    // A link into the past may lead to a world that was dropped: watching would bring it back to life.
    if (!this.#known.loaded && /[?&]epoch=/.test(location.hash) && (await isGone())) {
      this.#isDropped = true;
      if (load === this.#loadId) await this.#loadAll();
      return;
    }
    if (load !== this.#loadId) return;
    const source = new EventSource("./events");
    this.#source = source;
    // Load everything after a reconnect too: it may be a new server on the same port.
    const loading = this.#loadAll();
    source.onopen = () => void loading.then(() => this.#catchUp(source));
    source.onerror = () => {
      this.#close();
      this.#set({ connection: "lost" });
      this.#retry = setTimeout(() => void this.#open(), retryMs);
    };
    source.addEventListener("request", ({ data }) => this.#addEntry(JSON.parse(data)));
    source.addEventListener("fault", () => this.#debounce("faults", () => this.refreshFaults()));
    source.addEventListener("change", ({ data }) => {
      const { what } = JSON.parse(data);
      if (what === "dropped" && worldName !== defaultWorld) this.#dropped();
      else if (what === "assumed") void this.refreshAssumptions();
      else this.#debounce("all", () => this.#loadAll());
    });
  }

  /** The stream tells what happens from now on. What happened since the load began is asked for once. */
  async #catchUp(source: EventSource): Promise<void> {
    const { entries, epoch } = this.#known;
    const pending = entries.filter(({ outcome }) => outcome === "pending").map(({ id }) => id);
    const after = Math.min(entries[0]?.id ?? 0, ...pending.map((id) => id - 1));
    try {
      const later = await admin("listRequests", { query: { after } });
      if (source !== this.#source) return;
      if (later.epoch !== epoch) await this.#loadAll();
      const merged = merge(
        this.#known.entries,
        later.epoch === epoch ? later.requests : [],
        this.#journalSize,
      );
      const dropped = Math.max(this.#known.dropped, later.dropped);
      if (source === this.#source) this.#set({ entries: merged, dropped, connection: "live" });
    } catch {
      // If the server is gone, the event stream fails too and everything is loaded again.
    }
  }

  /** Watching again would bring the world back to life. What is known of it stays on the page. */
  #dropped(): void {
    this.#close();
    this.#isDropped = true;
    this.#set({ connection: "dropped" });
  }

  #close(): void {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = undefined;
    this.#loadId++;
  }

  async #loadAll(): Promise<void> {
    const load = ++this.#loadId;
    this.#newEntries = [];
    this.#isLoading = true;
    this.#hasOldGroups = false;
    try {
      const [journal, { history }, { groups }, { teams = [] }, { faults }, { assumptions }, { version }] =
        await Promise.all([
          admin("listRequests", { query: {} }),
          admin("listHistory", {}),
          admin("listGroups", {}),
          admin("exportState", {}),
          admin("listFaults", {}),
          admin("listAssumptions", {}),
          admin("health", {}),
        ]);
      if (load !== this.#loadId) return;
      this.#journalSize = Math.max(defaultJournalSize, journal.requests.length);
      const entries = merge(journal.requests.toReversed(), this.#newEntries, this.#journalSize);
      const { dropped } = journal;
      this.#newEntries = [];
      this.#isLoading = false;
      this.#set({
        entries,
        epoch: journal.epoch,
        dropped,
        history,
        groups,
        groupCount: groups.length,
        teams,
        faults,
        assumptions,
        version,
        loaded: true,
        connection: isReport ? "report" : this.#isDropped ? "dropped" : this.#known.connection,
      });
    } catch (error) {
      if (load !== this.#loadId) return;
      this.#source?.onerror?.(new Event("error"));
      this.announce(`The world could not be loaded: ${error instanceof Error ? error.message : error}`, true);
    }
  }

  #addEntry(entry: JournalEntry): void {
    arrivals.set(entry, performance.now());
    this.#newEntries.push(entry);
    this.#debounce("entries", async () => {
      // What is loaded now may be older than these: they are added to it when it is there.
      if (this.#isLoading) return;
      const { entries: before, dropped } = this.#known;
      const ids = new Set([...before, ...this.#newEntries].map(({ id }) => id));
      const entries = merge(before, this.#newEntries, this.#journalSize);
      this.#newEntries = [];
      this.#set({ entries, dropped: dropped + ids.size - entries.length });
    });
    if (entry.fault !== null) this.#debounce("faults", () => this.refreshFaults());
    if (entry.effect === "none" || entry.effect === "found") return;
    this.#hasOldGroups = true;
    if (entry.effect === "created") this.#set({ groupCount: this.#known.groupCount + 1 });
    if (this.#showsGroups) this.#debounce("groups", () => this.#refreshGroups(), groupsMs);
  }

  async #refresh(read: () => Promise<Partial<Known>>): Promise<void> {
    const load = this.#loadId;
    try {
      const part = await read();
      if (load === this.#loadId) this.#set(part);
    } catch {
      // If the server is gone, the event stream fails too and reloads everything later.
    }
  }

  /** Debounce: waits five times the last duration, at least 40 ms. */
  #debounce(name: string, work: () => Promise<void>, minMs = debounceMs): void {
    if (this.#timers.has(name)) return;
    const lastDuration = this.#durations.get(name) ?? 0;
    const timer = setTimeout(
      async () => {
        this.#timers.delete(name);
        const began = performance.now();
        await work();
        this.#durations.set(name, performance.now() - began);
      },
      Math.max(minMs, lastDuration * 5),
    );
    this.#timers.set(name, timer);
  }
}

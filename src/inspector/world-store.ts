import { effects } from "../contract/effects.js";
import { defaultWorld } from "../contract/world-name.js";
import type { JournalEntry } from "../generated/types.js";
import { admin } from "./admin-api.js";
import { isReport } from "./embedded-report.js";
import { EventFeed } from "./event-feed.js";
import { type KnownWorld, mergeEntries, unknownWorld } from "./known-world.js";
import { Throttle } from "./throttle.js";
import { worldName } from "./urls.js";

/** The default of --journal-size. */
const defaultJournalSize = 1_000;
const toastMs = 5_000;
/** A refresh loads all groups, so it runs at most this often. */
const groupsMs = 1_000;

const arrivals = new WeakMap<JournalEntry, number>();

/** Whether to highlight an entry as new. */
export function isFresh(entry: JournalEntry): boolean {
  return performance.now() - (arrivals.get(entry) ?? Number.NEGATIVE_INFINITY) < 1_200;
}

/** Whether the server does not have this world, because it was dropped or never created. */
async function isMissing(): Promise<boolean> {
  try {
    const { worlds } = await admin("listWorlds", {});
    return !worlds.some(({ name }) => name === worldName);
  } catch {
    return false;
  }
}

/** The state of a world, kept up to date with its event stream. */
export class WorldStore {
  #known = unknownWorld;
  #changed: () => void = () => {};
  #showsGroups = false;
  /** Whether the groups have changed since they were loaded. */
  #hasOldGroups = false;
  /** The current load, or the last one. Results of earlier loads are ignored. */
  #load: Promise<void> | undefined;
  #isLoading = false;
  /** New entries that are not rendered yet. */
  #newEntries: JournalEntry[] = [];
  #journalSize = defaultJournalSize;
  #toastTimer = 0;
  readonly #throttle = new Throttle();
  readonly #feed = new EventFeed({
    // After a reconnect too: it may be a new server on the same port.
    opened: () => void this.#loadAll(),
    lost: () => {
      this.#set({ connection: "lost" });
      // An event stream that is rejected does not report why; a failed load does.
      if (!this.#known.loaded) void this.#loadAll();
    },
    request: (entry) => this.#addEntry(entry),
    faultsChanged: () => this.faultsMayHaveChanged(),
    worldChanged: (what) => {
      if (what === "dropped" && worldName !== defaultWorld) this.#dropped();
      else if (what === "assumed") void this.refreshAssumptions();
      else this.#throttle.run("all", () => this.#loadAll());
    },
  });

  get known(): KnownWorld {
    return this.#known;
  }

  /** The first API token of the world; empty before it is known. */
  get apiToken(): string {
    return this.#known.teams.flatMap(({ api_tokens }) => api_tokens)[0] ?? "";
  }

  /** Calls `changed` after each change, until the returned function is called. */
  follow(changed: () => void): () => void {
    this.#changed = changed;
    if (isReport) {
      void this.#loadAll();
      return () => {};
    }
    // A browser opens at most six HTTP/1.1 connections per server, so hidden tabs must not hold one.
    const update = () => (document.hidden ? this.#feed.close() : void this.#open());
    document.addEventListener("visibilitychange", update);
    update();
    return () => {
      document.removeEventListener("visibilitychange", update);
      this.#feed.close();
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
    this.#toastTimer = setTimeout(() => this.#set({ toast: unknownWorld.toast }), toastMs);
  }

  refreshFaults(): Promise<void> {
    return this.#refresh(async () => {
      const [{ faults }, { requests }] = await Promise.all([
        admin("listFaults", {}),
        admin("listRequests", { query: { outcome: "pending" } }),
      ]);
      return { faults, entries: mergeEntries(this.#known.entries, requests, this.#journalSize) };
    });
  }

  /** Schedules a refresh of the faults. */
  faultsMayHaveChanged(): void {
    this.#throttle.run("faults", () => this.refreshFaults());
  }

  refreshAssumptions(): Promise<void> {
    return this.#refresh(() => admin("listAssumptions", {}));
  }

  /** Keeps the groups up to date until the returned function is called. */
  watchGroups(): () => void {
    this.#showsGroups = true;
    if (this.#hasOldGroups) void this.#refreshGroups();
    return () => {
      this.#showsGroups = false;
    };
  }

  /** Freezes the journal at these entries; undefined shows new entries again. */
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

  #set(part: Partial<KnownWorld>): void {
    this.#known = { ...this.#known, ...part };
    this.#changed();
  }

  async #open(): Promise<void> {
    // A link to an earlier test may name a dropped world, which the event stream would create again.
    if (!this.#known.loaded && /[?&]epoch=/.test(location.hash) && (await isMissing())) {
      this.#feed.end();
      await this.#loadAll();
    } else if (!document.hidden) {
      this.#feed.open();
    }
  }

  /** Ends the event stream, which would create the world again. The page keeps its last state. */
  #dropped(): void {
    this.#feed.end();
    this.#set({ connection: "dropped" });
  }

  /** Loads everything, and adds requests that arrive meanwhile. */
  #loadAll(): Promise<void> {
    this.#newEntries = [];
    this.#isLoading = true;
    this.#hasOldGroups = false;
    const load = Promise.all([
      admin("listRequests", { query: {} }),
      admin("listHistory", {}),
      admin("listGroups", {}),
      admin("exportState", {}),
      admin("listFaults", {}),
      admin("listAssumptions", {}),
      admin("health", {}),
    ]).then(
      ([journal, { history }, { groups }, { teams = [] }, { faults }, { assumptions }, { version }]) => {
        if (load !== this.#load) return;
        this.#journalSize = Math.max(defaultJournalSize, journal.requests.length);
        const entries = mergeEntries(journal.requests.toReversed(), this.#newEntries, this.#journalSize);
        this.#newEntries = [];
        this.#isLoading = false;
        this.#set({
          entries,
          epoch: journal.epoch,
          label: journal.label,
          dropped: journal.dropped,
          history,
          groups,
          groupCount: groups.length,
          teams,
          faults,
          assumptions,
          version,
          loaded: true,
          connection: isReport ? "report" : (this.#feed.connection ?? this.#known.connection),
        });
      },
      (error) => {
        if (load !== this.#load) return;
        this.#feed.fail();
        this.announce(
          `The world could not be loaded: ${error instanceof Error ? error.message : error}`,
          true,
        );
      },
    );
    this.#load = load;
    return load;
  }

  #addEntry(entry: JournalEntry): void {
    arrivals.set(entry, performance.now());
    this.#newEntries.push(entry);
    this.#throttle.run("entries", async () => {
      // The load adds them: its journal may be older than these entries.
      if (this.#isLoading) return;
      const { entries: before, dropped } = this.#known;
      const ids = new Set([...before, ...this.#newEntries].map(({ id }) => id));
      const entries = mergeEntries(before, this.#newEntries, this.#journalSize);
      this.#newEntries = [];
      this.#set({ entries, dropped: dropped + ids.size - entries.length });
    });
    if (entry.fault !== null) this.faultsMayHaveChanged();
    if (entry.effect === "none" || entry.effect === "found") return;
    this.#hasOldGroups = true;
    const { groups = 0 } = effects[entry.effect];
    if (groups !== 0) this.#set({ groupCount: this.#known.groupCount + groups });
    if (this.#showsGroups) this.#throttle.run("groups", () => this.#refreshGroups(), groupsMs);
  }

  /** Reads a part of the state. A load of everything that starts meanwhile has newer data. */
  async #refresh(read: () => Promise<Partial<KnownWorld>>): Promise<void> {
    const load = this.#load;
    try {
      const part = await read();
      if (load === this.#load) this.#set(part);
    } catch {
      // If the server is gone, the event stream fails too, and everything is loaded after the reconnect.
    }
  }
}

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
import { EventFeed } from "./event-feed.js";
import { merge } from "./journal-filter.js";
import { worldName } from "./place.js";
import { Throttle } from "./throttle.js";

/** The state of the world as this page knows it. */
export interface Known {
  readonly connection: "connecting" | "live" | "lost" | "dropped" | "report";
  /** The number of the epoch that goes on. */
  readonly epoch: number | undefined;
  /** The label of that epoch, usually the name of a test. */
  readonly label: string | undefined;
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
  label: undefined,
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
const toastMs = 5_000;
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

/** The state of a world, kept up to date with its event stream. */
export class WorldStore {
  #known = initial;
  #changed: () => void = () => {};
  #showsGroups = false;
  /** Whether the groups have changed since they were fetched. */
  #hasOldGroups = false;
  /** The load that goes on, or the last one. Results of earlier loads are ignored. */
  #load: Promise<void> | undefined;
  #isLoading = false;
  /** New entries that are not rendered yet. */
  #newEntries: JournalEntry[] = [];
  #journalSize = defaultJournalSize;
  #toastTimer = 0;
  readonly #throttle = new Throttle();
  readonly #feed = new EventFeed({
    // Everything is loaded after a reconnect too: it may be a new server on the same port.
    opening: () => void this.#loadAll(),
    opened: () => void this.#catchUp(),
    lost: () => this.#set({ connection: "lost" }),
    request: (entry) => this.#addEntry(entry),
    faultsChanged: () => this.faultsMayHaveChanged(),
    worldChanged: (what) => {
      if (what === "dropped" && worldName !== defaultWorld) this.#dropped();
      else if (what === "assumed") void this.refreshAssumptions();
      else this.#throttle.run("all", () => this.#loadAll());
    },
  });

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

  /** Reads the faults again soon. */
  faultsMayHaveChanged(): void {
    this.#throttle.run("faults", () => this.refreshFaults());
  }

  refreshAssumptions(): Promise<void> {
    return this.#refresh(() => admin("listAssumptions", {}));
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

  #set(part: Partial<Known>): void {
    this.#known = { ...this.#known, ...part };
    this.#changed();
  }

  async #open(): Promise<void> {
    // A link into the past may lead to a world that was dropped: watching would create it again.
    if (!this.#known.loaded && /[?&]epoch=/.test(location.hash) && (await isGone())) {
      this.#feed.end();
      await this.#loadAll();
    } else if (!document.hidden) {
      this.#feed.open();
    }
  }

  /** Watching would create the world again. What is known of it stays on the page. */
  #dropped(): void {
    this.#feed.end();
    this.#set({ connection: "dropped" });
  }

  /** Loads everything. Requests that arrive meanwhile are added to it. */
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
        const entries = merge(journal.requests.toReversed(), this.#newEntries, this.#journalSize);
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
          connection: isReport ? "report" : this.#feed.hasEnded ? "dropped" : this.#known.connection,
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

  /** The stream reports what happens from now on. What happened since the load began is asked for once. */
  async #catchUp(): Promise<void> {
    await this.#load;
    const { entries } = this.#known;
    const pending = entries.filter(({ outcome }) => outcome === "pending").map(({ id }) => id);
    const after = Math.min(entries[0]?.id ?? 0, ...pending.map((id) => id - 1));
    try {
      const later = await admin("listRequests", { query: { after } });
      if (later.epoch !== this.#known.epoch) await this.#loadAll();
      if (!this.#feed.isOpen) return;
      const missed = later.epoch === this.#known.epoch ? later.requests : [];
      this.#set({
        entries: merge(this.#known.entries, missed, this.#journalSize),
        dropped: Math.max(this.#known.dropped, later.dropped),
        connection: "live",
      });
    } catch {
      // If the server is gone, the event stream fails too and everything is loaded again.
    }
  }

  #addEntry(entry: JournalEntry): void {
    arrivals.set(entry, performance.now());
    this.#newEntries.push(entry);
    this.#throttle.run("entries", async () => {
      // What is loaded now may be older than these: they are added to it when it is there.
      if (this.#isLoading) return;
      const { entries: before, dropped } = this.#known;
      const ids = new Set([...before, ...this.#newEntries].map(({ id }) => id));
      const entries = merge(before, this.#newEntries, this.#journalSize);
      this.#newEntries = [];
      this.#set({ entries, dropped: dropped + ids.size - entries.length });
    });
    if (entry.fault !== null) this.faultsMayHaveChanged();
    if (entry.effect === "none" || entry.effect === "found") return;
    this.#hasOldGroups = true;
    if (entry.effect === "created") this.#set({ groupCount: this.#known.groupCount + 1 });
    if (this.#showsGroups) this.#throttle.run("groups", () => this.#refreshGroups(), groupsMs);
  }

  /** Reads a part of the state, unless everything is loaded anew meanwhile. */
  async #refresh(read: () => Promise<Partial<Known>>): Promise<void> {
    const load = this.#load;
    try {
      const part = await read();
      if (load === this.#load) this.#set(part);
    } catch {
      // If the server is gone, the event stream fails too and reloads everything later.
    }
  }
}

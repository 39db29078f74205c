import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { AdminClient } from "../contract/admin-calls.js";
import { defaultWorld, worldUrl } from "../contract/world-name.js";
import type { JournalEntry, JournalPage } from "../generated/types.js";
import { adminOf, adminUrl, listTests, NoResponse } from "./admin.js";
import { type Derived, deriver } from "./derived.js";
import { isReport, openedFirst, reportedWorld } from "./embedded-report.js";
import { EventFeed } from "./event-feed.js";
import { findTest, type Place } from "./find-test.js";
import { loadWorld, mergeEntries } from "./load-test.js";
import { go, hashOf, readRoute, serverUrl, type View } from "./route.js";
import type { Shown, State, WorldParts } from "./state.js";
import { Throttle } from "./throttle.js";

const noMessage = { text: "", failed: false };
const messageMs = 5_000;
/** The event stream of a world has no events of other worlds, so the tests are polled. */
const pollMs = 1_000;
/** A long list is requested less often: after five times the time that it took. */
const pauseFactor = 5;
/** All groups are loaded, so this is rare. */
const groupsMs = 1_000;
/** The default of --journal-size. */
const defaultJournalSize = 1_000;

/** What the page shows, kept up to date with the list of tests and the event stream of the shown world. */
export class Store {
  #state: State;
  #changed: () => void = () => {};
  /** The current load, or the last one. Results of earlier loads are ignored. */
  #load: Promise<void> | undefined;
  #isLoading = false;
  /** Entries that came while the journal was loaded, or that are not rendered yet. */
  #newEntries: JournalEntry[] = [];
  #journalSize = defaultJournalSize;
  #hasOldGroups = false;
  #messageTimer = 0;
  readonly #throttle = new Throttle();
  readonly #derive = deriver();
  readonly #feed = new EventFeed({
    opened: () => void this.#loadShown(),
    // The list of tests shows why: the mock has stopped, or the world was dropped.
    lost: () => this.#throttle.run("tests", () => this.#refreshTests()),
    request: (entry) => this.#addEntry(entry),
    faultsChanged: () => this.#throttle.run("faults", () => this.#refreshFaults()),
    worldChanged: (what) => {
      if (what === "assumed") void this.#refreshAssumptions();
      else if (what === "reset" || what === "dropped") this.#leaveEpoch();
      else this.#throttle.run("all", () => this.#loadShown());
    },
  });

  constructor() {
    this.#state = {
      route: readRoute(location.hash),
      tests: undefined,
      leftOff: 0,
      shown: undefined,
      isLive: false,
      hasStopped: false,
      message: noMessage,
    };
  }

  get state(): State {
    return this.#state;
  }

  /** Makes admin calls in the shown world. */
  get admin(): AdminClient {
    return adminOf(this.#state.shown?.test.world ?? defaultWorld);
  }

  /** What follows from the requests of the shown test. */
  get derived(): Derived {
    return this.#derive(this.#state.shown);
  }

  /** The base URL of the shown world, as its tests use it. Undefined if a report does not know it. */
  get url(): string | undefined {
    const { shown, route } = this.#state;
    const world = shown?.test.world ?? (route.place.follows === "newest" ? defaultWorld : route.place.world);
    return isReport ? reportedWorld(world)?.url : worldUrl(serverUrl, world);
  }

  /** The address of a request of the shown test. It stays the same when other tests follow. */
  requestHref(request: number | undefined): string {
    const { shown, route } = this.#state;
    const place: Place =
      shown === undefined
        ? route.place
        : { follows: "nothing", world: shown.test.world, epoch: shown.test.epoch };
    return hashOf({ place, view: { name: "requests", ...(request !== undefined && { request }) } });
  }

  viewHref(view: View): string {
    return hashOf({ place: this.#state.route.place, view });
  }

  /** Whether the shown world can be changed: it exists, and its current requests are shown. */
  get canAct(): boolean {
    const { shown, hasStopped } = this.#state;
    return !isReport && !hasStopped && shown?.test.state === "current" && shown.world !== undefined;
  }

  /** Calls `changed` after each change. */
  follow(changed: () => void): void {
    this.#changed = changed;
    addEventListener("hashchange", () => {
      const before = this.#state.route.view;
      this.#set({ route: readRoute(location.hash) });
      this.#choose();
      const { view } = this.#state.route;
      if (view.name === "groups" && this.#hasOldGroups) void this.#refreshGroups();
      if (view.name === "faults" && before.name !== "faults") void this.#refreshFaults();
    });
    // A browser opens at most six connections per server, so hidden tabs must not hold one.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#feed.close();
      else void this.#refreshTests();
    });
    void this.#poll();
  }

  /** Runs an action, and announces its success or its error. */
  async act(action: () => Promise<unknown>, success = ""): Promise<void> {
    try {
      await action();
      if (success !== "") this.#announce(success, false);
    } catch (error) {
      this.#announce(error instanceof Error ? error.message : String(error), true);
    }
  }

  /** Arms a fault, or changes faults in another way, and shows the result. */
  changeFaults(change: () => Promise<unknown>, success: string): Promise<void> {
    return this.act(async () => {
      await change();
      await this.#refreshFaults();
    }, success);
  }

  /** Resets the shown world, and shows what begins now. */
  reset(): Promise<void> {
    const world = this.#state.shown?.test.world ?? defaultWorld;
    return this.act(async () => {
      await this.admin("reset", {});
      go({ place: { follows: "world", world }, view: this.#state.route.view });
      await this.#refreshTests();
    }, "Reset. The requests before it are in the list of tests.");
  }

  #announce(text: string, failed: boolean): void {
    this.#set({ message: { text, failed } });
    clearTimeout(this.#messageTimer);
    this.#messageTimer = setTimeout(() => this.#set({ message: noMessage }), messageMs);
  }

  #set(part: Partial<State>): void {
    this.#state = { ...this.#state, ...part };
    this.#changed();
  }

  /** The next events of the stream are of another test. */
  #leaveEpoch(): void {
    this.#feed.close();
    this.#newEntries = [];
    this.#throttle.run("tests", () => this.#refreshTests());
  }

  #setWorld(part: Partial<WorldParts>): void {
    const { shown } = this.#state;
    if (shown?.world !== undefined) this.#set({ shown: { ...shown, world: { ...shown.world, ...part } } });
  }

  async #poll(): Promise<void> {
    const began = performance.now();
    if (!document.hidden) await this.#refreshTests();
    const waitMs = Math.max(pollMs, pauseFactor * (performance.now() - began));
    // A report does not change.
    if (!isReport) setTimeout(() => void this.#poll(), waitMs);
  }

  async #refreshTests(): Promise<void> {
    try {
      const { tests, left_off } = await listTests();
      const wasStopped = this.#state.hasStopped;
      this.#set({ tests, leftOff: left_off, hasStopped: false });
      // Another mock may listen at this port now: its worlds and epochs are others.
      if (wasStopped) this.#set({ shown: undefined });
      this.#choose();
    } catch (error) {
      if (!(error instanceof NoResponse)) return this.#announce(String(error), true);
      this.#feed.close();
      if (!this.#state.hasStopped) this.#set({ hasStopped: true, isLive: false });
    }
  }

  /** Shows the test that the route names, as far as it is not shown yet. */
  #choose(): void {
    const { tests, route, shown } = this.#state;
    if (tests === undefined) return;
    const test = findTest(route.place, tests, openedFirst);
    const isSame = test?.world === shown?.test.world && test?.epoch === shown?.test.epoch;
    if (test === undefined) {
      this.#feed.close();
      // A dropped world that has left nothing in the history keeps its last state.
      const { place } = route;
      const isDropped = shown !== undefined && place.follows !== "newest" && place.world === shown.test.world;
      this.#load = undefined;
      if (isDropped)
        this.#set({ isLive: false, shown: { ...shown, test: { ...shown.test, state: "dropped" } } });
      else this.#set({ isLive: false, shown: undefined });
    } else if (!isSame || shown === undefined) {
      this.#show({ test, entries: [], dropped: 0, world: undefined });
    } else if (test.state !== shown.test.state) {
      // What the page knows of the world is its last state.
      this.#feed.close();
      this.#set({ isLive: false, shown: { ...shown, test } });
      if (test.state !== "current") void this.#loadShown();
    } else {
      this.#set({ shown: { ...shown, test } });
      if (test.state === "current" && !isReport && !this.#feed.isOpen) this.#feed.open(adminUrl(test.world));
    }
  }

  #show(shown: Shown): void {
    this.#feed.close();
    this.#newEntries = [];
    this.#set({ shown, isLive: false });
    // Entries of the stream are added to those that are loaded when it is open.
    if (shown.test.state === "current" && !isReport) this.#feed.open(adminUrl(shown.test.world));
    else void this.#loadShown();
  }

  /** Loads the requests of the shown test, and the rest of its world if that still exists. */
  #loadShown(): Promise<void> {
    const { shown } = this.#state;
    if (shown === undefined) return Promise.resolve();
    const { world, epoch, state } = shown.test;
    const admin = adminOf(world);
    this.#newEntries = [];
    this.#isLoading = true;
    // A page that showed the world when it was dropped keeps its last state.
    const keptWorld = state === "dropped" ? shown.world : undefined;
    const loaded: Promise<[JournalPage, WorldParts | undefined]> =
      state === "current"
        ? Promise.all([admin("listRequests", { query: {} }), loadWorld(admin)])
        : Promise.all([admin("listPastRequests", { id: epoch, query: {} }), keptWorld]);
    const load = loaded.then(
      ([journal, parts]) => {
        if (load !== this.#load) return;
        this.#isLoading = false;
        this.#journalSize = Math.max(defaultJournalSize, journal.requests.length);
        const entries = mergeEntries(journal.requests.toReversed(), this.#newEntries, this.#journalSize);
        this.#newEntries = [];
        this.#hasOldGroups = false;
        const test = this.#state.shown?.test ?? shown.test;
        this.#set({
          isLive: this.#feed.isOpen,
          shown: { test, entries, dropped: journal.dropped, world: parts },
        });
      },
      (error) => {
        if (load !== this.#load) return;
        this.#isLoading = false;
        if (error instanceof NoResponse) void this.#refreshTests();
        else this.#announce(`The test could not be loaded: ${error.message}`, true);
      },
    );
    this.#load = load;
    return load;
  }

  #addEntry(entry: JournalEntry): void {
    this.#newEntries.push(entry);
    this.#throttle.run("entries", async () => {
      const { shown, route } = this.#state;
      // The load adds them: its journal may be older than these entries.
      if (this.#isLoading || shown === undefined) return;
      const before = shown.entries.length;
      const known = new Set(shown.entries.map(({ id }) => id));
      const added = new Set(this.#newEntries.map(({ id }) => id).filter((id) => !known.has(id))).size;
      const created = this.#newEntries.filter(({ effect }) => effect === "created").length;
      const entries = mergeEntries(shown.entries, this.#newEntries, this.#journalSize);
      this.#newEntries = [];
      const dropped = shown.dropped + before + added - entries.length;
      const groupCount = (shown.world?.groupCount ?? 0) + created;
      this.#set({
        shown: { ...shown, entries, dropped, world: shown.world && { ...shown.world, groupCount } },
      });
      // A request that met no fault may be a near miss.
      if (route.view.name === "faults") this.#throttle.run("faults", () => this.#refreshFaults());
    });
    if (entry.fault !== null) this.#throttle.run("faults", () => this.#refreshFaults());
    if (entry.effect === "none" || entry.effect === "found") return;
    this.#hasOldGroups = true;
    if (this.#state.route.view.name === "groups") {
      this.#throttle.run("groups", () => this.#refreshGroups(), groupsMs);
    }
  }

  /** Also loads requests that wait: their entries are events only when they are complete. */
  #refreshFaults(): Promise<void> {
    return this.#refresh(async () => {
      const [{ faults }, { requests }] = await Promise.all([
        this.admin("listFaults", {}),
        this.admin("listRequests", { query: { outcome: "pending" } }),
      ]);
      return () => {
        this.#setWorld({ faults });
        const { shown } = this.#state;
        if (shown === undefined) return;
        this.#set({ shown: { ...shown, entries: mergeEntries(shown.entries, requests, this.#journalSize) } });
      };
    });
  }

  #refreshGroups(): Promise<void> {
    this.#hasOldGroups = false;
    return this.#refresh(async () => {
      const { groups } = await this.admin("listGroups", {});
      return () => this.#setWorld({ groups, groupCount: groups.length });
    });
  }

  #refreshAssumptions(): Promise<void> {
    return this.#refresh(async () => {
      const { assumptions } = await this.admin("listAssumptions", {});
      return () => this.#setWorld({ assumptions });
    });
  }

  /** Reads a part of the shown world. A load of everything that starts meanwhile has newer data. */
  async #refresh(read: () => Promise<() => void>): Promise<void> {
    const load = this.#load;
    if (isReport || this.#state.shown?.test.state !== "current") return;
    try {
      const apply = await read();
      if (load === this.#load) apply();
    } catch {
      // If the mock has stopped, the list of tests fails too, and the page shows it.
    }
  }
}

const StoreContext = createContext<Store | undefined>(undefined);

export const StoreProvider = StoreContext.Provider;

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error("A component was rendered outside of the app.");
  return store;
}

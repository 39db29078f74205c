import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { AdminClient } from "../contract/admin-calls.js";
import { defaultWorld, worldUrl } from "../contract/world-name.js";
import type { Health } from "../generated/types.js";
import { adminOf, NoResponse } from "./admin.js";
import { type Derived, deriver } from "./derived.js";
import { isReport, openedFirst, reportedWorld } from "./embedded-report.js";
import { findTest, type Place } from "./find-test.js";
import { isSameTest, loadTest } from "./load-test.js";
import { go, hashOf, type Route, readRoute, serverUrl, type View, viewNames } from "./route.js";
import type { Shown, State, WorldParts } from "./state.js";
import { faultName } from "./words.js";

const noMessage = { text: "", failed: false };
const messageMs = 5_000;
const pollMs = 500;

/** What the last reading was about. The page reads again if the mock has counted more changes, or the route is another. */
interface Reading extends Pick<Health, "changes" | "uptimeMs"> {
  readonly route?: Route;
}

const isVisible = () => document.visibilityState === "visible";

const never: Reading = { changes: -1, uptimeMs: 0 };

/** What the page shows, kept up to date by polling. */
export class Store {
  #state: State = {
    route: readRoute(location.hash),
    tests: undefined,
    leftOff: 0,
    shown: undefined,
    hasStopped: false,
    message: noMessage,
  };
  #changed: () => void = () => {};
  #messageTimer = 0;
  #read = never;
  /** The last reading that was started, or that waits for the one before. */
  #reading = Promise.resolve();
  readonly #derive = deriver();

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

  /** The report of one test has only what its requests show. */
  get isOfOneTest(): boolean {
    return isReport && (this.#state.tests ?? []).length < 2;
  }

  get views(): readonly View["name"][] {
    return viewNames.filter((name) => name !== "assumptions" || !this.isOfOneTest);
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
      this.#set({ route: readRoute(location.hash) });
      void this.#refresh();
    });
    document.addEventListener("visibilitychange", () => {
      if (isVisible()) void this.#refresh();
    });
    void this.#poll();
  }

  /** Runs an action, shows what it has changed, and announces its success or its error. */
  async act(action: () => Promise<unknown>, success = ""): Promise<void> {
    try {
      await action();
      await this.#refresh();
      if (success !== "") this.#announce(success, false);
    } catch (error) {
      this.#announceError(error);
    }
  }

  /** Resets the shown world, and shows what begins now. */
  reset(): Promise<void> {
    const world = this.#state.shown?.test.world ?? defaultWorld;
    return this.act(async () => {
      await this.admin("reset", {});
      go({ place: { follows: "world", world }, view: this.#state.route.view });
    }, "Reset. The requests before it are in the list of tests.");
  }

  /** In place of the message that a fault was armed. */
  #announceFired(before: WorldParts | undefined, now: WorldParts | undefined): void {
    const wasActive = (id: number) => before?.faults.some((fault) => fault.id === id && fault.active);
    const fired = now?.faults.find(({ id, active, fired }) => !active && fired > 0 && wasActive(id));
    if (fired === undefined) return;
    const by = this.#state.shown?.entries.find(({ fault }) => fault === fired.id);
    this.#announce(`${faultName(fired)} fired${by === undefined ? "" : ` → #${by.id}`}`, false);
  }

  #announceError(error: unknown): void {
    this.#announce(error instanceof Error ? error.message : String(error), true);
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

  async #poll(): Promise<void> {
    const began = performance.now();
    if (isVisible()) await this.#refresh();
    // What takes long is requested less often.
    const waitMs = Math.max(pollMs, performance.now() - began);
    // A report does not change.
    if (!isReport) setTimeout(() => void this.#poll(), waitMs);
  }

  /** One reading at a time: an older response never replaces a newer one. Of those that wait, only the last one reads. */
  #refresh(): Promise<void> {
    const reading: Promise<void> = this.#reading.then(() =>
      reading === this.#reading ? this.#readShown() : undefined,
    );
    this.#reading = reading;
    return reading;
  }

  async #readShown(): Promise<void> {
    const { route, shown, hasStopped } = this.#state;
    try {
      const { changes, uptimeMs } = isReport ? never : await adminOf(defaultWorld)("health", {});
      // Another mock may listen at this port now: its worlds and epochs are others.
      const isRestarted = hasStopped || uptimeMs < this.#read.uptimeMs;
      const hasChanged = changes !== this.#read.changes || isRestarted || this.#state.tests === undefined;
      if (!hasChanged && route === this.#read.route) return;
      const listed = hasChanged ? await adminOf(defaultWorld)("listTests", {}) : undefined;
      const { tests = this.#state.tests ?? [], left_off: leftOff = this.#state.leftOff } = listed ?? {};
      const test = findTest(route.place, tests, openedFirst);
      const isSame = isSameTest(test, shown?.test) && !isRestarted;
      const read = test && (await loadTest(test, isSame ? shown : undefined, route.view.name));
      this.#read = { changes, uptimeMs, route };
      this.#set({ tests, leftOff, shown: read ?? this.#lastState(), hasStopped: false });
      if (isRestarted) this.#announce("The mock was started again. Its state is new.", false);
      else if (isSame) this.#announceFired(shown?.world, read?.world);
    } catch (error) {
      if (!(error instanceof NoResponse)) this.#announceError(error);
      else if (!hasStopped) this.#set({ hasStopped: true });
    }
  }

  /** What is shown of a world that was dropped and has left nothing in the history. */
  #lastState(): Shown | undefined {
    const { shown, route } = this.#state;
    const isDropped = route.place.follows !== "newest" && route.place.world === shown?.test.world;
    return shown && isDropped ? { ...shown, test: { ...shown.test, state: "dropped" } } : undefined;
  }
}

const StoreContext = createContext<Store | undefined>(undefined);

export const StoreProvider = StoreContext.Provider;

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error("A component was rendered outside of the app.");
  return store;
}

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { AdminClient } from "../fake/contract/admin-calls.js";
import { defaultWorld, worldUrl } from "../fake/contract/world-name.js";
import type { FaultRequest, TestSummary } from "../generated/types.js";
import { adminOf, MockGone } from "./admin.js";
import { isReport, reportedWorld } from "./embedded-report.js";
import { go, hashOf, type Place, type Route, readRoute, serverUrl, type View } from "./route.js";
import { findTest, isSameTest, loadTest, type Shown } from "./shown-test.js";

interface Message {
  readonly text: string;
  /** In place of a text: the fault that has just fired. Its chip shows it. */
  readonly fired?: number;
}

interface State {
  readonly route: Route;
  /** Newest first. Undefined until the server has listed them. */
  readonly tests: readonly TestSummary[] | undefined;
  /** The test that the route names. Undefined until it is loaded, or if there is none. */
  readonly shown: Shown | undefined;
  /** Whether the mock does not respond any more. */
  readonly hasStopped: boolean;
  /** The last error or event, for some seconds. */
  readonly message: Message;
}

const noMessage: Message = { text: "" };
const messageMs = 5_000;
const pollMs = 500;

const isVisible = () => document.visibilityState === "visible";

/** A report has no health, and does not change. */
const noHealth = { changes: -1, uptimeMs: 0 };

/** What the page shows, kept up to date by polling. */
export class Store {
  #state: State = {
    route: readRoute(location.hash),
    tests: undefined,
    shown: undefined,
    hasStopped: false,
    message: noMessage,
  };
  #changed: () => void = () => {};
  #messageTimer = 0;
  /** What the last reading was about. The page reads again if the mock has counted more changes, or the route is another. */
  #read: typeof noHealth & { readonly route?: Route } = noHealth;
  /** The last reading that was started, or that waits for the one before. */
  #reading = Promise.resolve();

  get state(): State {
    return this.#state;
  }

  /** Makes admin calls in the shown world. */
  get admin(): AdminClient {
    return adminOf(this.#state.shown?.test.world ?? defaultWorld);
  }

  /** The base URL of the shown world, as its tests use it. Undefined if a report does not know it. */
  get url(): string | undefined {
    const { shown, route } = this.#state;
    const world = shown?.test.world ?? (route.place.follows === "latest" ? defaultWorld : route.place.world);
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

  /** Where there is one test, the page has no list of tests. */
  get hasOneTest(): boolean {
    return (this.#state.tests ?? []).length < 2;
  }

  /** The report of one test has only what its requests show. */
  get views(): readonly View["name"][] {
    const names = ["requests", "groups", "faults"] as const;
    return isReport && this.hasOneTest ? names : [...names, "assumptions"];
  }

  viewHref(view: View): string {
    return hashOf({ place: this.#state.route.place, view });
  }

  /** Whether the shown world can be changed: its current requests are shown. */
  get canAct(): boolean {
    const { shown, hasStopped } = this.#state;
    return !isReport && !hasStopped && shown?.test.state === "current";
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

  /** Runs an action, and shows what it has changed, or its error. */
  async act(action: () => Promise<unknown>): Promise<void> {
    try {
      await action();
      await this.#refresh();
    } catch (error) {
      this.#announceError(error);
    }
  }

  /** Arms a fault in the shown world, and stays there. */
  arm(fault: FaultRequest): Promise<void> {
    return this.#actInWorld(() => this.admin("armFault", { body: fault }));
  }

  changeFault(call: "releaseFault" | "removeFault", id: number): Promise<void> {
    return this.act(() => this.admin(call, { id }));
  }

  /** Resets the shown world, and shows what begins now. */
  reset(): Promise<void> {
    return this.#actInWorld(() => this.admin("reset", { body: {} }));
  }

  /** Who acts in a world has chosen it. */
  #actInWorld(action: () => Promise<unknown>): Promise<void> {
    const world = this.#state.shown?.test.world ?? defaultWorld;
    return this.act(async () => {
      await action();
      go({ place: { follows: "world", world }, view: this.#state.route.view });
    });
  }

  #announceFired(before: Shown["world"], now: Shown["world"]): void {
    const wasActive = (id: number) => before?.faults.some((fault) => fault.id === id && fault.active);
    const fault = now?.faults.find(({ id, active, fired }) => !active && fired > 0 && wasActive(id));
    if (fault !== undefined) this.#announce({ text: "", fired: fault.id });
  }

  #announceError(error: unknown): void {
    this.#announce({ text: error instanceof Error ? error.message : String(error) });
  }

  #announce(message: Message): void {
    this.#set({ message });
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
      const { changes, uptimeMs } = isReport ? noHealth : await adminOf(defaultWorld)("health", {});
      // Another mock may listen at this port now: its worlds and epochs are others.
      const isRestarted = hasStopped || uptimeMs < this.#read.uptimeMs;
      const hasChanged = changes !== this.#read.changes || isRestarted || this.#state.tests === undefined;
      if (!hasChanged && route === this.#read.route) return;
      const { tests = [] } = hasChanged ? await adminOf(defaultWorld)("listTests", {}) : this.#state;
      const test = findTest(route.place, tests);
      const isSame = isSameTest(test, shown?.test) && !isRestarted;
      const read = test && (await loadTest(test, isSame ? shown : undefined, route.view.name));
      this.#read = { changes, uptimeMs, route };
      this.#set({ tests, shown: read ?? this.#lastState(), hasStopped: false });
      if (isRestarted) this.#announce({ text: "The mock was started again. Its state is new." });
      else if (isSame) this.#announceFired(shown?.world, read?.world);
    } catch (error) {
      if (!(error instanceof MockGone)) this.#announceError(error);
      else if (!hasStopped) this.#set({ hasStopped: true });
    }
  }

  /** What is shown of a world that was dropped and has left nothing in the history. */
  #lastState(): Shown | undefined {
    const { shown, route } = this.#state;
    const isDropped = route.place.follows !== "latest" && route.place.world === shown?.test.world;
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

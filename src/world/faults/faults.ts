import { effectsOf, type FaultEffect, faultEffects } from "../../contract/fault-effects.js";
import { clearTimeout, setTimeout } from "../../foundation/clock.js";
import { MockError } from "../../foundation/mock-error.js";
import type { Fault, FaultRule, Operation } from "../../generated/types.js";
import { deriveToken } from "../../store/tokens.js";
import { assertFits, type Bounds, bytesOf } from "../bounds.js";
import { matchesRule } from "../match.js";
import { checkFault } from "./check-fault.js";
import { behaviours } from "./effects.js";

interface FaultDefinition {
  readonly id: number;
  /** Seeds what is drawn. Unlike `id`, it repeats after a restore. */
  readonly ordinal: number;
  readonly request: FaultRule;
  readonly randomSeed: string;
  /** Its name in notes and messages. */
  readonly name?: string;
}

/** A request that waits in a fault. */
interface Waiter {
  /** Whether it waits for a release; otherwise for a time. */
  readonly isHeld: boolean;
  /** @param aborted why the request fails; by default it continues */
  readonly end: (aborted?: string) => void;
}

/** A fault that was armed, and what it has done so far. */
export class TrackedFault {
  readonly id: number;
  readonly name: string;
  readonly request: FaultRule;
  readonly effect: FaultEffect;
  /** The size of its rule as JSON. */
  readonly bytes: number;
  fired = 0;
  /** How many of these requests waited when their caller disconnected. */
  abandoned = 0;
  /** How many requests matched, whether it fired or not: `skip` and `probability` count these. */
  seen = 0;
  /** When requests passed that count towards a rate limit. */
  passedAt: readonly number[] = [];
  /** A hold that was released holds no more requests. */
  released = false;
  /** Called when a request that waits in the fault is abandoned. */
  changed: () => void = () => {};
  readonly #definition: FaultDefinition;
  readonly #waiting = new Set<Waiter>();

  constructor(definition: FaultDefinition) {
    const { id, request, name = `fault ${id}` } = definition;
    this.#definition = definition;
    this.id = id;
    this.name = name;
    this.request = request;
    this.effect = effectsOf(request)[0] ?? "status";
    this.bytes = JSON.stringify(request).length;
  }

  get active(): boolean {
    const { times = 1 } = this.request;
    return !this.released && (times === "always" || this.fired < times);
  }

  /** A copy with equal counts, without the requests that wait. */
  copy(): TrackedFault {
    const { fired, abandoned, seen, passedAt, released } = this;
    return Object.assign(new TrackedFault(this.#definition), { fired, abandoned, seen, passedAt, released });
  }

  /** Whether it meets a request that matches. Counts the request. */
  meets(): boolean {
    const { skip = 0, probability = 1 } = this.request;
    this.seen++;
    if (this.seen <= skip || (probability < 1 && this.draw("") >= probability)) return false;
    return behaviours[this.effect].meets?.(this) ?? true;
  }

  /** A number from 0 to 1, derived from the random seed, the fault and the requests seen: every run draws the same. */
  draw(purpose: string): number {
    const { randomSeed, ordinal } = this.#definition;
    const token = deriveToken(randomSeed, "*fault*", ordinal, purpose, this.seen);
    return Number.parseInt(token.slice(0, 12), 16) / 2 ** 48;
  }

  /**
   * Delays or holds a request. Resolves with the reason if the world ends first.
   * @param disconnected aborted when the caller disconnects: ends the wait
   */
  async wait(disconnected: AbortSignal): Promise<string | undefined> {
    const { waitMs = () => this.request.delayMs } = behaviours[this.effect];
    const ms = waitMs(this);
    let aborted = ms === undefined ? undefined : await this.#waitFor(ms, disconnected);
    if (this.effect === "hold" && !this.released) aborted = await this.#waitFor(undefined, disconnected);
    if (disconnected.aborted) {
      this.abandoned++;
      this.changed();
    }
    return aborted;
  }

  /** Waits until the request is released, aborted or abandoned, and no longer than `delayMs`. */
  #waitFor(delayMs: number | undefined, disconnected: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve) => {
      const end = (aborted?: string) => {
        clearTimeout(timer);
        disconnected.removeEventListener("abort", abandon);
        this.#waiting.delete(waiter);
        resolve(aborted);
      };
      const abandon = () => end();
      const timer = delayMs === undefined ? undefined : setTimeout(abandon, delayMs);
      const waiter = { isHeld: delayMs === undefined, end };
      this.#waiting.add(waiter);
      if (disconnected.aborted) end();
      else disconnected.addEventListener("abort", abandon);
    });
  }

  /** Waiting requests continue, and no more are held. @param aborted why they fail instead */
  release(aborted?: string): void {
    this.released = true;
    for (const { end } of this.#waiting) end(aborted);
  }

  show(): Fault {
    const { id, fired, abandoned, active } = this;
    const holding = [...this.#waiting].filter(({ isHeld }) => isHeld).length;
    return { id, ...this.request, fired, holding, active, ...(abandoned > 0 && { abandoned }) };
  }
}

/** The faults of a world, in the order in which they were armed. */
export class Faults {
  readonly #randomSeed: string;
  readonly #bounds: Bounds;
  readonly #changed: (fault: Fault) => void;
  #armed = new Map<number, TrackedFault>();
  #lastId = 0;
  #lastOrdinal = 0;

  constructor(randomSeed: string, bounds: Bounds, changed: (fault: Fault) => void) {
    this.#randomSeed = randomSeed;
    this.#bounds = bounds;
    this.#changed = changed;
  }

  arm(given: FaultRule): Fault {
    // Without a prototype: a program may have added a key such as `text` or `status` to Object.prototype.
    const request: FaultRule = Object.assign(Object.create(null), given);
    const { times } = faultEffects[checkFault(request)];
    if (times !== undefined) request.times ??= times;
    const ids = { id: ++this.#lastId, ordinal: ++this.#lastOrdinal };
    const fault = new TrackedFault({ ...ids, request, randomSeed: this.#randomSeed });
    assertFits("faults", fault, this.#armed, this.#bounds.faults);
    this.#armed.set(fault.id, fault);
    return this.#show(fault);
  }

  list(): Fault[] {
    return [...this.#armed.values()].map((fault) => fault.show());
  }

  /** The fault that takes this request, if any: the first armed one that matches and is due. */
  claim(operation: Operation, json: unknown, teamId: number): TrackedFault | undefined {
    for (const fault of this.#armed.values()) {
      const isMatch = fault.active && matchesRule(fault.request, { operation, json, teamId });
      if (!isMatch || !fault.meets()) continue;
      fault.fired++;
      fault.changed = () => this.#show(fault);
      fault.changed();
      return fault;
    }
    return undefined;
  }

  /** Removes a fault. Requests that wait in it continue. */
  remove(id: number): void {
    const fault = this.#get(id);
    fault.release();
    this.#armed.delete(id);
    this.#show(fault);
  }

  clear(): void {
    for (const id of this.#armed.keys()) this.remove(id);
  }

  /** Held requests continue, and no more are held. */
  release(id: number): Fault {
    const fault = this.#get(id);
    if (fault.effect !== "hold")
      throw new MockError("not_a_hold", `Fault ${id} is not a hold. Its effect is ${fault.effect}.`);
    fault.release();
    return this.#show(fault);
  }

  /** Waiting requests fail: the world that they were sent to is gone. */
  abort(reason: string): void {
    for (const fault of this.#armed.values()) fault.release(reason);
  }

  /** A copy without waiting requests and without a listener. */
  copy(): Faults {
    const copy = new Faults(this.#randomSeed, this.#bounds, () => {});
    copy.copyFrom(this);
    return copy;
  }

  copyFrom(other: Faults): void {
    this.abort("the world was restored from a snapshot");
    this.#armed = new Map([...other.#armed].map(([id, fault]) => [id, fault.copy()]));
    // A reset in between has restarted the count; no two faults may share an id.
    this.#lastId = Math.max(this.#lastId, other.#lastId);
    this.#lastOrdinal = other.#lastOrdinal;
  }

  get bytes(): number {
    return bytesOf(this.#armed.values());
  }

  /** Reports the current state of a fault as an event, and returns it. */
  #show(fault: TrackedFault): Fault {
    const shown = fault.show();
    this.#changed(shown);
    return shown;
  }

  #get(id: number): TrackedFault {
    const fault = this.#armed.get(id);
    if (fault === undefined) throw new MockError("unknown_fault", `There is no fault ${id} in this world.`);
    return fault;
  }
}

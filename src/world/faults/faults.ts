import { type FaultKind, findKinds } from "../../contract/fault-kinds.js";
import { MockError } from "../../contract/mock-error.js";
import { clearTimeout, monotonicNow, setTimeout } from "../../foundation/clock.js";
import type { Fault, FaultRule, Operation } from "../../generated/types.js";
import { matchesRule } from "../match.js";
import { checkFault } from "./check-fault.js";

/** Why an epoch ended. */
export interface Ending {
  readonly code: "reset" | "stopped";
  /** The beginning of a sentence: "the world was dropped". */
  readonly reason: string;
}

/** A request that waits in a fault. */
interface Waiter {
  /** Whether it waits for a release; otherwise for a time. */
  readonly isHeld: boolean;
  /** @param ending why the request fails; by default it continues */
  readonly end: (ending?: Ending) => void;
}

/** A fault that was armed, and what it has done so far. */
export class TrackedFault {
  readonly id: number;
  /** Its name in notes and messages. */
  readonly name: string;
  readonly rule: FaultRule;
  readonly kind: FaultKind;
  /** On the clock of `Entry.began`. */
  readonly armedAt = monotonicNow();
  fired = 0;
  /** How many requests waited when their client disconnected. */
  abandoned = 0;
  /** How many requests matched, whether it fired or not: `skip` counts these. */
  seen = 0;
  /** A hold that was released holds no more requests. */
  released = false;
  readonly #changed: () => void;
  readonly #waiting = new Set<Waiter>();

  /** @param changed is called when it fires, and when a request waits in it or is abandoned */
  constructor(id: number, rule: FaultRule, changed = () => {}, name = `fault ${id}`) {
    this.id = id;
    this.name = name;
    this.#changed = changed;
    this.rule = rule;
    this.kind = findKinds(rule)[0] ?? "status";
  }

  get active(): boolean {
    const { times = 1 } = this.rule;
    return !this.released && (times === "always" || this.fired < times);
  }

  /**
   * Delays or holds a request. Resolves with the ending if the epoch ends first.
   * @param disconnected aborted when the client disconnects: ends the wait
   */
  async wait(disconnected: AbortSignal): Promise<Ending | undefined> {
    const { delayMs } = this.rule;
    let ending = delayMs === undefined ? undefined : await this.#waitFor(delayMs, disconnected);
    if (this.kind === "hold" && !this.released) ending = await this.#waitFor(undefined, disconnected);
    if (disconnected.aborted) {
      this.abandoned++;
      this.#changed();
    }
    return ending;
  }

  /** Waits until the request is released, aborted or abandoned, and no longer than `delayMs`. */
  #waitFor(delayMs: number | undefined, disconnected: AbortSignal): Promise<Ending | undefined> {
    return new Promise((resolve) => {
      const end = (ending?: Ending) => {
        clearTimeout(timer);
        disconnected.removeEventListener("abort", abandon);
        this.#waiting.delete(waiter);
        resolve(ending);
      };
      const abandon = () => end();
      const timer = delayMs === undefined ? undefined : setTimeout(abandon, delayMs);
      const waiter = { isHeld: delayMs === undefined, end };
      this.#waiting.add(waiter);
      this.#changed();
      if (disconnected.aborted) end();
      else disconnected.addEventListener("abort", abandon);
    });
  }

  /** Held requests continue, and no more are held. A delay before the hold goes on. */
  release(): void {
    this.released = true;
    for (const { isHeld, end } of this.#waiting) if (isHeld) end();
  }

  /** The fault is gone: waiting requests continue. @param ending why they fail instead */
  end(ending?: Ending): void {
    this.released = true;
    for (const waiter of this.#waiting) waiter.end(ending);
  }

  show(): Fault {
    const { id, fired, abandoned, active } = this;
    const holding = [...this.#waiting].filter(({ isHeld }) => isHeld).length;
    return { id, ...this.rule, fired, holding, active, ...(abandoned > 0 && { abandoned }) };
  }
}

/** The faults of a world, in the order in which they were armed. */
export class Faults {
  readonly #changed: () => void;
  readonly #armed = new Map<number, TrackedFault>();
  #lastId = 0;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  arm(rule: FaultRule): Fault {
    checkFault(rule);
    const fault = new TrackedFault(++this.#lastId, rule, this.#changed);
    this.#armed.set(fault.id, fault);
    this.#changed();
    return fault.show();
  }

  /** Whether any fault was armed, even if it is gone. */
  get wasArmed(): boolean {
    return this.#lastId > 0;
  }

  /** In the order in which they were armed. */
  all(): readonly TrackedFault[] {
    return [...this.#armed.values()];
  }

  /** The fault that takes this request, if any: the first armed one that matches and is due. */
  claim(operation: Operation, json: unknown, teamId: number): TrackedFault | undefined {
    for (const fault of this.#armed.values()) {
      if (!fault.active || !matchesRule(fault.rule, { operation, json, teamId })) continue;
      fault.seen++;
      if (fault.seen <= (fault.rule.skip ?? 0)) continue;
      fault.fired++;
      this.#changed();
      return fault;
    }
    return undefined;
  }

  /** Removes a fault. Requests that wait in it continue. */
  remove(id: number): void {
    const fault = this.#get(id);
    fault.end();
    this.#armed.delete(id);
    this.#changed();
  }

  clear(): void {
    for (const id of this.#armed.keys()) this.remove(id);
  }

  /** Held requests continue, and no more are held. */
  release(id: number): Fault {
    const fault = this.#get(id);
    if (fault.kind !== "hold")
      throw new MockError("not_a_hold", `Fault ${id} is not a hold. Its kind is ${fault.kind}.`);
    fault.release();
    this.#changed();
    return fault.show();
  }

  /** Waiting requests fail: the world that they were sent to is gone. */
  abort(ending: Ending): void {
    for (const fault of this.#armed.values()) fault.end(ending);
  }

  #get(id: number): TrackedFault {
    const fault = this.#armed.get(id);
    if (fault === undefined) throw new MockError("unknown_fault", `There is no fault ${id} in this world.`);
    return fault;
  }
}

import { effectsOf, type FaultEffect, faultEffects } from "../../contract/fault-effects.js";
import { clearTimeout, setTimeout } from "../../foundation/clock.js";
import { MockError } from "../../foundation/mock-error.js";
import type { Fault, FaultRule, Operation } from "../../generated/types.js";
import { deriveToken } from "../../store/tokens.js";
import type { Bounds } from "../bounds.js";
import { Matcher } from "../match.js";
import { checkFault } from "./check-fault.js";
import { behaviours } from "./effects.js";

interface FaultDefinition {
  readonly id: number;
  /** Seeds what is drawn. Unlike `id`, it repeats after a restore. */
  readonly ordinal: number;
  readonly request: FaultRule;
  /** The size of its rule, in characters of JSON. */
  readonly size: number;
  readonly randomSeed: string;
  /** As notes and messages call it. */
  readonly name?: string;
}

/** A fault that was armed, and what it has done so far. */
export class TrackedFault {
  readonly id: number;
  readonly name: string;
  readonly request: FaultRule;
  readonly effect: FaultEffect;
  readonly matcher: Matcher;
  readonly size: number;
  fired = 0;
  /** The requests among these whose caller disconnected while they waited. */
  abandoned = 0;
  /** Matching calls so far, whether it fired or not: `skip` and `probability` count these. */
  seen = 0;
  /** When the requests passed that count towards a rate limit. */
  passedAt: readonly number[] = [];
  /** A hold that was released holds no more calls. */
  released = false;
  /** Called when a request that waits in it is abandoned. */
  changed: () => void = () => {};
  readonly #armed: FaultDefinition;
  readonly #waiting = new Set<Waiter>();

  constructor(armed: FaultDefinition) {
    const { id, request, size, name = `fault ${id}` } = armed;
    this.#armed = armed;
    this.id = id;
    this.name = name;
    this.request = request;
    this.size = size;
    this.matcher = new Matcher(request);
    this.effect = effectsOf(request)[0] ?? "status";
  }

  get active(): boolean {
    const { times = 1 } = this.request;
    return !this.released && (times === "always" || this.fired < times);
  }

  /** A copy with the same counts, without the calls that wait in it. */
  copy(): TrackedFault {
    const { fired, abandoned, seen, passedAt, released } = this;
    return Object.assign(new TrackedFault(this.#armed), { fired, abandoned, seen, passedAt, released });
  }

  /** Whether it meets a request that its matcher accepts. Counts the request. */
  meets(): boolean {
    const { skip = 0, probability = 1 } = this.request;
    this.seen++;
    if (this.seen <= skip || (probability < 1 && this.draw("") >= probability)) return false;
    return behaviours[this.effect].meets?.(this) ?? true;
  }

  /** A number from 0 to 1, derived from the random seed, the fault and the requests seen: every run draws the same. */
  draw(purpose: string): number {
    const { randomSeed, ordinal } = this.#armed;
    const token = deriveToken(randomSeed, "*fault*", ordinal, purpose, this.seen);
    return Number.parseInt(token.slice(0, 12), 16) / 2 ** 48;
  }

  /**
   * Makes a call wait as the rule says. Resolves with the reason if the world ends first.
   * @param left ends the wait: the caller has disconnected
   */
  async wait(left: AbortSignal): Promise<string | undefined> {
    if (left.aborted) this.#abandon();
    const { waitMs } = behaviours[this.effect];
    const ms = waitMs === undefined ? this.request.delayMs : waitMs(this);
    const reason = ms === undefined ? undefined : await this.#waitFor(ms, left);
    return this.effect === "hold" && !this.released ? this.#waitFor(undefined, left) : reason;
  }

  /** Waits until it is released, aborted or abandoned, and no longer than `delayMs`. */
  #waitFor(delayMs: number | undefined, left: AbortSignal): Promise<string | undefined> {
    if (left.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const end = (reason?: string) => {
        clearTimeout(timer);
        left.removeEventListener("abort", abandon);
        this.#waiting.delete(waiter);
        resolve(reason);
      };
      const abandon = () => {
        end();
        this.#abandon();
      };
      left.addEventListener("abort", abandon);
      const timer = delayMs === undefined ? undefined : setTimeout(end, delayMs);
      const waiter = { isHeld: delayMs === undefined, end };
      this.#waiting.add(waiter);
    });
  }

  #abandon(): void {
    this.abandoned++;
    this.changed();
  }

  /** The calls that wait go on, and no more are held. @param aborted why they fail instead */
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

/** A call that waits in a fault. */
interface Waiter {
  /** Until it is released; otherwise for a time. */
  readonly isHeld: boolean;
  /** @param aborted why the call fails; by default it goes on */
  readonly end: (aborted?: string) => void;
}

/** What a snapshot keeps of the faults. */
export interface CapturedFaults {
  readonly armed: readonly TrackedFault[];
  /** How many had been armed, so that the next one draws as it did the first time. */
  readonly lastOrdinal: number;
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
    // Without a prototype: a program may have put a key called `text` or `status` on that of all objects.
    const request: FaultRule = Object.assign(Object.create(null), given);
    const effect = checkFault(request);
    const { times } = faultEffects[effect];
    if (times !== undefined) request.times ??= times;
    const { faults, faultCharacters } = this.#bounds;
    if (this.#armed.size >= faults) {
      throw new MockError("too_many_faults", `This world has ${faults} faults. Clear them between tests.`);
    }
    const size = JSON.stringify(request).length;
    if (this.characters + size > faultCharacters) {
      const message = `The faults of this world would hold more than ${faultCharacters} characters. Clear some, or answer with less.`;
      throw new MockError("too_many_faults", message);
    }
    const armed = { id: ++this.#lastId, ordinal: ++this.#lastOrdinal, request, size };
    const fault = new TrackedFault({ ...armed, randomSeed: this.#randomSeed });
    this.#armed.set(fault.id, fault);
    this.#changed(fault.show());
    return fault.show();
  }

  list(): Fault[] {
    return [...this.#armed.values()].map((fault) => fault.show());
  }

  /** The fault that takes this call, if any: the first armed one that matches and is due. */
  claim(operation: Operation, body: unknown, teamId: number): TrackedFault | undefined {
    for (const fault of this.#armed.values()) {
      if (!fault.active || !fault.matcher.accepts({ operation, json: body, teamId })) continue;
      if (!fault.meets()) continue;
      fault.fired++;
      fault.changed = () => this.#changed(fault.show());
      fault.changed();
      return fault;
    }
    return undefined;
  }

  /** Takes a fault away; calls that wait in it go on. */
  remove(id: number): void {
    const fault = this.#get(id);
    fault.release();
    this.#armed.delete(id);
    this.#changed(fault.show());
  }

  clear(): void {
    for (const id of this.#armed.keys()) this.remove(id);
  }

  /** Lets the held calls go on, and holds no more. */
  release(id: number): Fault {
    const fault = this.#get(id);
    if (fault.effect !== "hold") {
      throw new MockError("not_a_hold", `Fault ${id} holds no calls: its effect is ${fault.effect}.`);
    }
    fault.release();
    this.#changed(fault.show());
    return fault.show();
  }

  /** The calls that wait fail: the world that they were made in is gone. */
  abort(reason: string): void {
    for (const fault of this.#armed.values()) fault.release(reason);
  }

  capture(): CapturedFaults {
    return {
      armed: [...this.#armed.values()].map((fault) => fault.copy()),
      lastOrdinal: this.#lastOrdinal,
    };
  }

  restore({ armed, lastOrdinal }: CapturedFaults): void {
    this.abort("the world was restored from a snapshot");
    this.#armed = new Map(armed.map((fault) => [fault.id, fault.copy()]));
    // A reset in between has restarted the count; no two faults may share an id.
    this.#lastId = Math.max(this.#lastId, ...armed.map(({ id }) => id));
    this.#lastOrdinal = lastOrdinal;
  }

  /** The size of all rules, in characters of JSON. */
  get characters(): number {
    let size = 0;
    for (const fault of this.#armed.values()) size += fault.size;
    return size;
  }

  #get(id: number): TrackedFault {
    const fault = this.#armed.get(id);
    if (fault === undefined) throw new MockError("unknown_fault", `There is no fault ${id} in this world.`);
    return fault;
  }
}

import { type Schemas, validOr } from "../contract/schemas.js";
import type { Fault, FaultRequest, Operation } from "../contract/types.js";
import { clearTimeout, setTimeout } from "../foundation/clock.js";
import { type LocatedProblem, MockError } from "../foundation/mock-error.js";
import { deriveToken } from "../service/tokens.js";
import { Matcher } from "./match.js";

const effects = ["status", "delayMs", "reset", "empty", "truncate", "malformed", "dribble", "hold"] as const;
export type Effect = (typeof effects)[number];

/** More than any test arms: a loop that forgets to clear its faults should notice. */
const maxFaults = 1_000;

/** The size of all rules of a world together, in characters of JSON. */
const maxRuleCharacters = 10_000_000;

/** Why a call that waits in a fault cannot go on. */
export class Aborted extends Error {}

/** A fault that was armed, and what it has done so far. */
export class TrackedFault {
  readonly id: number;
  readonly request: FaultRequest;
  readonly effect: Effect;
  readonly matcher: Matcher;
  /** The size of its rule, in characters of JSON. */
  readonly size: number;
  fired = 0;
  /** Matching calls so far, whether it fired or not: `skip` and `probability` count these. */
  seen = 0;
  /** A hold that was released holds no more calls. */
  released = false;
  readonly #waiting = new Set<{ resume: () => void; fail: (reason: Aborted) => void }>();

  constructor(id: number, request: FaultRequest, size: number) {
    this.id = id;
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
    const copy = new TrackedFault(this.id, this.request, this.size);
    copy.fired = this.fired;
    copy.seen = this.seen;
    copy.released = this.released;
    return copy;
  }

  /** Waits until it is released, or for `delayMs`. Rejects with `Aborted` when the world ends first. */
  wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer =
        this.effect === "hold" ? undefined : setTimeout(() => waiting.resume(), this.request.delayMs);
      const leave = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
      };
      const waiting = {
        resume: () => {
          leave();
          resolve();
        },
        fail: (reason: Aborted) => {
          leave();
          reject(reason);
        },
      };
      this.#waiting.add(waiting);
    });
  }

  release(): void {
    this.released = true;
    for (const waiting of this.#waiting) waiting.resume();
  }

  abort(reason: string): void {
    this.released = true;
    for (const waiting of this.#waiting) waiting.fail(new Aborted(reason));
  }

  show(): Fault {
    const { id, fired, active } = this;
    return { id, ...this.request, fired, holding: this.effect === "hold" ? this.#waiting.size : 0, active };
  }
}

/** The faults of a world, in the order in which they were armed. */
export class Faults {
  readonly #randomSeed: string;
  readonly #changed: (fault: Fault) => void;
  #armed = new Map<number, TrackedFault>();
  #lastId = 0;

  constructor(randomSeed: string, changed: (fault: Fault) => void) {
    this.#randomSeed = randomSeed;
    this.#changed = changed;
  }

  arm(given: unknown, schemas: Schemas): Fault {
    const request = checkFault(given, schemas);
    if (this.#armed.size >= maxFaults) {
      throw new MockError("too_many_faults", `This world has ${maxFaults} faults. Clear them between tests.`);
    }
    const size = JSON.stringify(request).length;
    if (size > maxRuleCharacters - this.#size()) {
      const message = `The faults of this world would hold more than ${maxRuleCharacters} characters. Clear some, or answer with less.`;
      throw new MockError("too_many_faults", message);
    }
    const fault = new TrackedFault(++this.#lastId, request, size);
    this.#armed.set(fault.id, fault);
    this.#changed(fault.show());
    return fault.show();
  }

  list(): Fault[] {
    return [...this.#armed.values()].map((fault) => fault.show());
  }

  /** The fault that takes this call, if any: the first armed one that matches and is due. */
  claim(operation: Operation, body: unknown): TrackedFault | undefined {
    for (const fault of this.#armed.values()) {
      if (!fault.active || !fault.matcher.accepts(operation, body)) continue;
      fault.seen++;
      if (fault.seen <= (fault.request.skip ?? 0) || !this.#drawn(fault)) continue;
      fault.fired++;
      this.#changed(fault.show());
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
    for (const fault of this.#armed.values()) fault.abort(reason);
  }

  capture(): readonly TrackedFault[] {
    return [...this.#armed.values()].map((fault) => fault.copy());
  }

  restore(captured: readonly TrackedFault[]): void {
    this.abort("the world was restored from a snapshot");
    this.#armed = new Map(captured.map((fault) => [fault.id, fault.copy()]));
    // A reset in between has restarted the count; no two faults may share an id.
    this.#lastId = Math.max(this.#lastId, ...captured.map(({ id }) => id));
  }

  #size(): number {
    let size = 0;
    for (const fault of this.#armed.values()) size += fault.size;
    return size;
  }

  #get(id: number): TrackedFault {
    const fault = this.#armed.get(id);
    if (fault === undefined) throw new MockError("unknown_fault", `There is no fault ${id} in this world.`);
    return fault;
  }

  /** Derived from the random seed, the fault and the calls it has seen: every run draws the same. */
  #drawn({ id, seen, request }: TrackedFault): boolean {
    const { probability = 1 } = request;
    if (probability === 1) return true;
    const drawn = Number.parseInt(deriveToken(this.#randomSeed, "*fault*", id, "", seen).slice(0, 12), 16);
    return drawn / 2 ** 48 < probability;
  }
}

/** The effects of a rule. `delayMs` beside `dribble` is no effect but its duration. */
function effectsOf(request: FaultRequest): Effect[] {
  return effects.filter(
    (effect) => request[effect] !== undefined && !(effect === "delayMs" && request.dribble),
  );
}

function checkFault(given: unknown, schemas: Schemas): FaultRequest {
  const refusal = ["invalid_fault", "This fault cannot be armed:"] as const;
  const request = validOr(schemas.parse("fault.request.json", given), ...refusal);
  // The schema checks each field; how they go together is checked here.
  const problems: LocatedProblem[] = [];
  const asked = effectsOf(request);
  if (asked.length !== 1) {
    const found = asked.length === 0 ? "it says none" : `it says ${asked.join(" and ")}`;
    problems.push({ path: "", message: `must say exactly one effect of ${effects.join(", ")}; ${found}` });
  }
  if (request.dribble && request.delayMs === undefined) {
    problems.push({ path: "/delayMs", message: "is required with dribble: how long the answer takes" });
  }
  if (request.body !== undefined && request.status === undefined) {
    problems.push({ path: "/body", message: "goes with status" });
  }
  if (problems.length > 0) throw new MockError(...refusal, problems);
  return request;
}

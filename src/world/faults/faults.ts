import { type Schemas, validOr } from "../../contract/schemas.js";
import { clearTimeout, setTimeout } from "../../foundation/clock.js";
import { type LocatedProblem, MockError } from "../../foundation/mock-error.js";
import type { Fault, FaultRule, Operation } from "../../generated/types.js";
import { deriveToken } from "../../store/tokens.js";
import type { Bounds } from "../bounds.js";
import { Matcher } from "../match.js";

/** What a fault can do. `delayMs` is one only where it stands alone. */
const faultEffects = [
  "status",
  "delayMs",
  "reset",
  "empty",
  "truncate",
  "malformed",
  "dribble",
  "hold",
] as const;
export type FaultEffect = (typeof faultEffects)[number];

/** Why a call that waits in a fault cannot go on. */
export class Aborted extends Error {}

/** A fault that was armed, and what it has done so far. */
export class TrackedFault {
  readonly id: number;
  /** Its probability is drawn from this and not from the id: a restored world counts it anew, but no id twice. */
  readonly ordinal: number;
  /** As notes and messages call it. */
  readonly name: string;
  readonly request: FaultRule;
  readonly effect: FaultEffect;
  readonly matcher: Matcher;
  /** The size of its rule, in characters of JSON. */
  readonly size: number;
  fired = 0;
  /** Matching calls so far, whether it fired or not: `skip` and `probability` count these. */
  seen = 0;
  /** A hold that was released holds no more calls. */
  released = false;
  readonly #waiting = new Set<Waiter>();

  constructor(id: number, ordinal: number, request: FaultRule, size: number, name = `fault ${id}`) {
    this.id = id;
    this.ordinal = ordinal;
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
    const copy = new TrackedFault(this.id, this.ordinal, this.request, this.size);
    copy.fired = this.fired;
    copy.seen = this.seen;
    copy.released = this.released;
    return copy;
  }

  /** Makes a call wait as the rule says. Rejects with `Aborted` when the world ends first. */
  async wait(): Promise<void> {
    const { delayMs } = this.request;
    if (delayMs !== undefined && this.effect !== "dribble") await this.#waitFor(delayMs);
    if (this.effect === "hold" && !this.released) await this.#waitFor(undefined);
  }

  /** Waits until it is released, and no longer than `delayMs`. */
  #waitFor(delayMs: number | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = delayMs === undefined ? undefined : setTimeout(() => waiting.resume(), delayMs);
      const leave = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiter = {
        isHeld: delayMs === undefined,
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
    const holding = [...this.#waiting].filter(({ isHeld }) => isHeld).length;
    return { id, ...this.request, fired, holding, active };
  }
}

/** A call that waits in a fault. */
interface Waiter {
  /** Until it is released; otherwise for a time. */
  readonly isHeld: boolean;
  readonly resume: () => void;
  readonly fail: (reason: Aborted) => void;
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

  arm(given: unknown, schemas: Schemas): Fault {
    const request = checkFault(given, schemas);
    const { faults, faultCharacters } = this.#bounds;
    if (this.#armed.size >= faults) {
      throw new MockError("too_many_faults", `This world has ${faults} faults. Clear them between tests.`);
    }
    const size = JSON.stringify(request).length;
    if (this.characters + size > faultCharacters) {
      const message = `The faults of this world would hold more than ${faultCharacters} characters. Clear some, or answer with less.`;
      throw new MockError("too_many_faults", message);
    }
    const fault = new TrackedFault(++this.#lastId, ++this.#lastOrdinal, request, size);
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
      if (!fault.active || !fault.matcher.accepts({ operation, body, teamId })) continue;
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

  /** Derived from the random seed, the fault and the calls it has seen: every run draws the same. */
  #drawn({ ordinal, seen, request }: TrackedFault): boolean {
    const { probability = 1 } = request;
    if (probability === 1) return true;
    const drawn = Number.parseInt(
      deriveToken(this.#randomSeed, "*fault*", ordinal, "", seen).slice(0, 12),
      16,
    );
    return drawn / 2 ** 48 < probability;
  }
}

/** The effects of a rule. `delayMs` beside another one is a wait before it, or the duration of `dribble`. */
function effectsOf(request: FaultRule): FaultEffect[] {
  const asked = faultEffects.filter((effect) => request[effect] !== undefined);
  return asked.length > 1 ? asked.filter((effect) => effect !== "delayMs") : asked;
}

function checkFault(given: unknown, schemas: Schemas): FaultRule {
  const refusal = ["invalid_fault", "This fault cannot be armed:"] as const;
  const valid = validOr(schemas.parse("fault.request.json", given), ...refusal);
  // Without a prototype: a program may have put a key called `text` or `status` on that of all objects.
  const request: FaultRule = Object.assign(Object.create(null), valid);
  // The schema checks each field; how they go together is checked here.
  const problems: LocatedProblem[] = [];
  const asked = effectsOf(request);
  if (asked.length !== 1) {
    const found = asked.length === 0 ? "it says none" : `it says ${asked.join(" and ")}`;
    const message = `must say exactly one effect of ${faultEffects.join(", ")}; ${found}`;
    problems.push({ path: "", message });
  }
  if (request.dribble && request.delayMs === undefined) {
    problems.push({ path: "/delayMs", message: "is required with dribble: how long the answer takes" });
  }
  for (const part of ["headers", "body", "text"] as const) {
    if (request[part] !== undefined && request.status === undefined) {
      problems.push({ path: `/${part}`, message: "goes with status" });
    }
  }
  if (request.body !== undefined && request.text !== undefined) {
    problems.push({ path: "/text", message: "cannot stand beside body; keep one of them" });
  }
  if (/\p{Cs}/u.test(request.text ?? "")) {
    problems.push({
      path: "/text",
      message: "must not hold half of a surrogate pair: UTF-8 cannot carry it",
    });
  }
  problems.push(...headerProblems(request.headers ?? {}));
  if (problems.length > 0) throw new MockError(...refusal, problems);
  return request;
}

/** Headers that frame the answer or name its journal entry: the mock sets them. */
const ownHeaders =
  /^(content-length|transfer-encoding|connection|keep-alive|date|trailer|usergroup-mock-.*)$/i;

function headerProblems(headers: Readonly<Record<string, string>>): LocatedProblem[] {
  const seen = new Set<string>();
  return Object.entries(headers).flatMap(([name, value]) => {
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    const message = headerProblem(name, value, isRepeated);
    return message === undefined ? [] : [{ path: `/headers/${name}`, message }];
  });
}

function headerProblem(name: string, value: string, isRepeated: boolean): string | undefined {
  // Assigning to __proto__ adds no header.
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || name === "__proto__") return "is no name of a header";
  if (ownHeaders.test(name)) return "is set by the mock itself; leave it out";
  if (isRepeated) return "is given twice: upper and lower case make no difference";
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    return "must be text without line breaks and control characters, in Latin-1";
  return undefined;
}

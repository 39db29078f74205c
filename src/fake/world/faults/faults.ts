import { clearTimeout, monotonicNow, setTimeout } from "../../../foundation/clock.js";
import type { LocatedProblem } from "../../../foundation/located-problem.js";
import { hint } from "../../../foundation/nearest.js";
import { shippedSchemas } from "../../../generated/shipped-schemas.js";
import type { Fault, FaultRule, Operation } from "../../../generated/types.js";
import { isByOperation } from "../../contract/failures.js";
import { type FaultKind, findKinds, kindNames } from "../../contract/fault-kinds.js";
import { MockError } from "../../contract/mock-error.js";
import { operations } from "../../contract/operations.js";
import { headerProblems } from "../../contract/response-headers.js";
import type { Entry } from "../journal/entry.js";
import { closestMatches, matchesRule } from "../match.js";

/** Why a world ended. */
export interface Ending {
  readonly code: "reset" | "stopped";
  /** The beginning of a sentence: "the world was dropped". */
  readonly reason: string;
}

/** Ends the wait of a request in a fault. @param ending why the request fails; by default it continues */
type EndWait = (ending?: Ending) => void;

/** A fault that was armed, or a failure that a run injects into one request, and what it has done so far. */
export class TrackedFault {
  /** 0: an injected failure. It belongs to no world, so a reset does not end it. */
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
  /** It was released or is gone: no more requests wait in it. */
  released = false;
  readonly #waiting = new Set<EndWait>();

  constructor(id: number, rule: FaultRule, name = `fault ${id}`) {
    this.id = id;
    this.name = name;
    this.rule = rule;
    this.kind = findKinds(rule)[0] ?? "status";
  }

  get active(): boolean {
    const { times = 1 } = this.rule;
    return !this.released && (times === "always" || this.fired < times);
  }

  /**
   * Delays or holds a request. Resolves with the ending if the world ends first.
   * @param disconnected aborted when the client disconnects: ends the wait
   */
  async wait(disconnected: AbortSignal): Promise<Ending | undefined> {
    const { delayMs } = this.rule;
    let ending = delayMs === undefined ? undefined : await this.#pause(disconnected, delayMs);
    if (this.kind === "hold" && !this.released) ending = await this.#pause(disconnected);
    if (disconnected.aborted) this.abandoned++;
    return ending;
  }

  #pause(disconnected: AbortSignal, delayMs?: number): Promise<Ending | undefined> {
    return new Promise((resolve) => {
      const end: EndWait = (ending) => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve(ending);
      };
      const timer = delayMs === undefined ? undefined : setTimeout(end, delayMs);
      this.#waiting.add(end);
      if (disconnected.aborted) end();
      else disconnected.addEventListener("abort", () => end());
    });
  }

  /** Waiting requests continue, and no more wait. @param ending why they fail instead */
  release(ending?: Ending): void {
    this.released = true;
    for (const end of this.#waiting) end(ending);
  }

  show(): Fault {
    const { id, fired, abandoned, active } = this;
    const holding = this.kind === "hold" ? this.#waiting.size : 0;
    return { id, ...this.rule, fired, holding, active, ...(abandoned > 0 && { abandoned }) };
  }
}

/** The faults of a world, in the order in which they were armed. */
export class Faults {
  readonly #armed = new Map<number, TrackedFault>();
  #lastId = 0;

  arm(rule: FaultRule): Fault {
    checkFault(rule);
    const fault = new TrackedFault(++this.#lastId, rule);
    this.#armed.set(fault.id, fault);
    return fault.show();
  }

  /** Whether any fault was armed, even if it is gone. */
  get wasArmed(): boolean {
    return this.#lastId > 0;
  }

  /**
   * In the order in which they were armed. Those that have not fired as often as they should have their near misses, among
   * the requests that began after the fault was armed.
   */
  list(journal: Iterable<Entry>): Fault[] {
    return [...this.#armed.values()].map((armed) => {
      const fault = armed.show();
      const { times = 1 } = fault;
      if (fault.fired >= (times === "always" ? 1 : times)) return fault;
      const others = [...journal].filter((entry) => entry.fault !== fault.id && entry.began >= armed.armedAt);
      const nearMisses = closestMatches(fault, others).map(({ request, reason }) => {
        return { request: request.id, reason: reason || `it matched, but ${whyNotMet(fault, request)}` };
      });
      return { ...fault, nearMisses };
    });
  }

  /** The fault that takes this request, if any: the first armed one that matches and is due. */
  claim(operation: Operation, json: unknown, teamId: number): TrackedFault | undefined {
    for (const fault of this.#armed.values()) {
      if (!fault.active || !matchesRule(fault.rule, { operation, json, teamId })) continue;
      fault.seen++;
      if (fault.seen <= (fault.rule.skip ?? 0)) continue;
      fault.fired++;
      return fault;
    }
    return undefined;
  }

  /** Removes a fault. Requests that wait in it continue. */
  remove(id: number): void {
    this.#get(id).release();
    this.#armed.delete(id);
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
    return fault.show();
  }

  /** Waiting requests fail: the world that they were sent to is gone. */
  abort(ending: Ending): void {
    for (const fault of this.#armed.values()) fault.release(ending);
  }

  #get(id: number): TrackedFault {
    const fault = this.#armed.get(id);
    if (fault === undefined) throw new MockError("unknown_fault", `There is no fault ${id} in this world.`);
    return fault;
  }
}

/** Throws what is wrong with a rule that its schema accepts. */
function checkFault(rule: FaultRule): void {
  const problems: LocatedProblem[] = [];
  const kinds = findKinds(rule);
  if (kinds.length !== 1) {
    const message = `must have exactly one of ${kindNames.join(", ")}; it has ${kinds.join(" and ") || "none"}`;
    problems.push({ path: "", message });
  }
  if (rule.body !== undefined && rule.text !== undefined) {
    problems.push({ path: "/text", message: "cannot be combined with body" });
  }
  const { status, headers, body, text } = rule;
  const isPlain = headers === undefined && body === undefined && text === undefined;
  // Ours is a failure, which a client would take for a success.
  if (status !== undefined && status < 400 && isPlain)
    problems.push({ path: "/status", message: "below 400 it needs body, text or headers" });
  problems.push(...matchProblems(rule), ...headerProblems(rule.headers ?? {}, "fault"));
  if (problems.length > 0) throw new MockError("invalid_fault", "Invalid fault:", problems);
}

/** The schema knows the fields of all operations. A request of one of them has fewer. */
function matchProblems({ operation, match = {} }: FaultRule): LocatedProblem[] {
  if (operation === undefined) return [];
  const fields = Object.keys(shippedSchemas[operations[operation].request].properties);
  return Object.keys(match)
    .filter((field) => !fields.includes(field))
    .map((field) => ({
      path: `/match/${field}`,
      message: `is not a field of ${operation}${hint(field, fields)}`,
    }));
}

/** Why a request passed a fault that it matches. */
function whyNotMet({ skip = 0 }: Fault, { outcome, fault: other, rejection }: Entry): string {
  if (outcome === "pending") return "it is still in progress";
  if (other !== null) return `fault ${other} fired instead`;
  if (outcome === "fault") return "an injected failure replaced its response";
  if (rejection !== undefined && !isByOperation(rejection.code))
    return "it was not authenticated or not valid";
  return skip > 0 ? "skip excluded it" : "the fault was no longer active";
}

import type { WaitRequest } from "../contract/types.js";
import { MockError } from "../foundation/mock-error.js";
import type { Entry, Journal } from "./journal.js";
import { Matcher } from "./match.js";

/** How many of the calls that came close are told. */
const nearMisses = 5;

/** More than any test has under way; a loop that asks and goes away should learn of it. */
const maxWaits = 1_000;

const goneAway = "who asked has gone away";

interface Waiting {
  readonly look: (entry: Entry) => void;
  readonly fail: (reason: unknown) => void;
}

/** Those who wait for calls that have not come yet. */
export class Waits {
  readonly #journal: Journal;
  readonly #waiting = new Set<Waiting>();
  /** Why nobody can wait any more. */
  #over: string | undefined;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /**
   * The entries that match, once there are enough of them; rejects with the near misses when time is up, or when the
   * one who waits has gone away.
   */
  wait(request: WaitRequest, gone?: AbortSignal): Promise<Entry[]> {
    const { count = 1, timeoutMs = 5_000 } = request;
    const wanted = new Wanted(request);
    const found = this.#answered().filter((entry) => wanted.accepts(entry));
    if (found.length >= count) return Promise.resolve(found);
    const refusal = this.#refusal(count, gone);
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      // Not the entries, which the journal may lose while this waits.
      let ids = found.map(({ id }) => id);
      const waiting: Waiting = {
        look: (entry) => {
          if (!wanted.accepts(entry)) return;
          ids.push(entry.id);
          if (ids.length < count) return;
          const matching = ids.sort((a, b) => a - b).flatMap((id) => this.#journal.get(id) ?? []);
          ids = matching.map(({ id }) => id);
          if (matching.length < count) return;
          leave();
          resolve(matching);
        },
        fail: (reason) => {
          leave();
          reject(reason);
        },
      };
      const timer = setTimeout(() => {
        try {
          waiting.fail(this.#timeout(wanted, count, timeoutMs));
        } catch (defect) {
          waiting.fail(defect);
        }
      }, timeoutMs);
      const leave = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
      };
      gone?.addEventListener("abort", () => waiting.fail(abort(goneAway)));
      this.#waiting.add(waiting);
    });
  }

  /** Why nobody can begin to wait now. */
  #refusal(count: number, gone: AbortSignal | undefined): MockError | undefined {
    if (this.#over !== undefined) return abort(this.#over);
    if (gone?.aborted) return abort(goneAway);
    const { size } = this.#journal;
    if (count > size) {
      const message = `The journal keeps ${size} calls, so that ${count} can never be in it. Start with a larger --journal-size.`;
      return new MockError("invalid_request", message);
    }
    if (this.#waiting.size < maxWaits) return undefined;
    const message = `${maxWaits} others wait in this world already. Let them come to their end first.`;
    return new MockError("too_many_waits", message);
  }

  /** Looks at a call that was answered. */
  look(entry: Entry): void {
    for (const waiting of this.#waiting) waiting.look(entry);
  }

  abort(reason: string): void {
    this.#over = reason;
    for (const waiting of this.#waiting) waiting.fail(abort(reason));
  }

  #answered(): Entry[] {
    return [...this.#journal].filter(({ outcome }) => outcome !== "pending");
  }

  #timeout(wanted: Wanted, count: number, timeoutMs: number): MockError {
    const looked = this.#answered().map((entry) => ({ entry, misses: wanted.missesOf(entry) }));
    const matching = looked.filter(({ misses }) => misses.length === 0).length;
    const close = looked
      .filter(({ misses }) => misses.length > 0)
      .sort((a, b) => a.misses.length - b.misses.length || b.entry.id - a.entry.id)
      .slice(0, nearMisses)
      .map(({ entry, misses }) => ({
        path: `/requests/${entry.id}`,
        message: misses.map((tell) => tell()).join("; "),
      }));
    const came = looked.length === 0 ? "no call came at all" : `${looked.length} calls came`;
    const closest = close.length === 0 ? "" : " What came closest:";
    const answered = `${matching} of ${count} matching calls were answered within ${timeoutMs} ms`;
    return new MockError("timeout", `${answered}; ${came}.${closest}`, close);
  }
}

function abort(reason: string): MockError {
  return new MockError("let_go", `Nobody waits any more: ${reason}.`);
}

/** Which entries somebody waits for. */
class Wanted {
  readonly #outcome: WaitRequest["outcome"];
  readonly #matcher: Matcher;

  constructor({ outcome, ...calls }: WaitRequest) {
    this.#outcome = outcome;
    this.#matcher = new Matcher(calls);
  }

  accepts(entry: Entry): boolean {
    if (this.#outcome !== undefined && this.#outcome !== entry.outcome) return false;
    // The body is read again for it: only where something is asked of it.
    return this.#matcher.accepts(entry.operation, this.#matcher.asksForFields ? entry.json : undefined);
  }

  missesOf(entry: Entry): (() => string)[] {
    const misses = this.#matcher.differences(entry.operation, entry.json);
    if (this.#outcome !== undefined && this.#outcome !== entry.outcome) {
      misses.push(() => `its outcome was ${entry.outcome}, not ${this.#outcome}`);
    }
    return misses;
  }
}

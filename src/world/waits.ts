import { clearTimeout, setTimeout } from "../foundation/clock.js";
import { counted } from "../foundation/grammar.js";
import { MockError } from "../foundation/mock-error.js";
import { shippedSchemas } from "../generated/shipped-schemas.js";
import type { WaitRequest } from "../generated/types.js";
import type { Bounds } from "./bounds.js";
import type { Entry, Journal } from "./journal/journal.js";
import { Matcher } from "./match.js";

/** How many of the calls that came close a timeout lists. */
const maxNearMisses = 5;

/** Stated in the schema, for callers and for this code alike. */
const { count: byDefault, timeoutMs: timeout } = shippedSchemas["wait.request.json"].properties;

const goneAway = "who asked has gone away";

interface Waiting {
  readonly look: (entry: Entry) => void;
  readonly fail: (reason: unknown) => void;
}

/** The waits of an epoch: each resolves once enough calls match. */
export class Waits {
  readonly #journal: Journal;
  readonly #bounds: Bounds;
  readonly #waiting = new Set<Waiting>();
  /** The size of what they wait for, in characters of JSON. */
  #characters = 0;
  /** Set once the epoch has ended: the reason. */
  #over: string | undefined;

  constructor(journal: Journal, bounds: Bounds) {
    this.#journal = journal;
    this.#bounds = bounds;
  }

  /** The entries that match, once there are enough. Rejects with the near misses at the timeout, or on `gone`. */
  wait(request: WaitRequest, gone?: AbortSignal): Promise<Entry[]> {
    const { count = byDefault.default, timeoutMs = timeout.default } = request;
    const matcher = new Matcher(request);
    const matching = () => this.#answered().filter((entry) => matcher.accepts(entry));
    const found = matching();
    if (found.length >= count) return Promise.resolve(found);
    const size = JSON.stringify(request).length;
    const refusal = this.#refusal(count, size, gone);
    if (refusal !== undefined) return Promise.reject(refusal);
    this.#characters += size;
    return new Promise((resolve, reject) => {
      let missing = count - found.length;
      const waiting: Waiting = {
        look: (entry) => {
          if (!matcher.accepts(entry) || --missing > 0) return;
          // The journal may have dropped some of them meanwhile.
          const entries = matching();
          missing = count - entries.length;
          if (missing > 0) return;
          leave();
          resolve(entries);
        },
        fail: (reason) => {
          leave();
          reject(reason);
        },
      };
      const timer = setTimeout(() => {
        try {
          waiting.fail(this.#timeout(matcher, count, timeoutMs));
        } catch (defect) {
          waiting.fail(defect);
        }
      }, timeoutMs);
      const leave = () => {
        clearTimeout(timer);
        if (this.#waiting.delete(waiting)) this.#characters -= size;
      };
      gone?.addEventListener("abort", () => waiting.fail(abort(goneAway)));
      this.#waiting.add(waiting);
    });
  }

  /** Why a wait cannot begin. */
  #refusal(count: number, characters: number, gone: AbortSignal | undefined): MockError | undefined {
    if (this.#over !== undefined) return abort(this.#over);
    if (gone?.aborted) return abort(goneAway);
    const { size } = this.#journal;
    if (count > size) {
      const message = `The journal keeps ${counted(size, "call")}, so ${count} can never be in it. Start with a larger --journal-size.`;
      return new MockError("invalid_request", message);
    }
    const { waits, waitCharacters } = this.#bounds;
    if (this.#waiting.size >= waits) {
      const message = `${waits} others wait in this world already. Let some of them end first.`;
      return new MockError("too_many_waits", message);
    }
    if (this.#characters + characters <= waitCharacters) return undefined;
    const message = `The waits of this world would hold more than ${waitCharacters} characters. Let some of them end first, or match less.`;
    return new MockError("too_many_waits", message);
  }

  /** Called with every entry once it is complete. */
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

  #timeout(matcher: Matcher, count: number, timeoutMs: number): MockError {
    const looked = this.#answered().map((entry) => ({ entry, misses: matcher.differences(entry) }));
    const matching = looked.filter(({ misses }) => misses.length === 0).length;
    const close = looked
      .filter(({ misses }) => misses.length > 0)
      .sort((a, b) => a.misses.length - b.misses.length || b.entry.id - a.entry.id)
      .slice(0, maxNearMisses)
      .map(({ entry, misses }) => ({
        path: `/requests/${entry.id}`,
        message: misses.map((describe) => describe()).join("; "),
      }));
    const came = looked.length === 0 ? "no call came at all" : `${counted(looked.length, "call")} came`;
    const closest = close.length === 0 ? "" : " What came closest:";
    const answered = `${matching} of ${counted(count, "matching call")} ${count === 1 ? "was" : "were"} answered within ${timeoutMs} ms`;
    return new MockError("timeout", `${answered}; ${came}.${closest}`, close);
  }
}

function abort(reason: string): MockError {
  return new MockError("aborted", `This wait was aborted: ${reason}.`);
}

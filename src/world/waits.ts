import { MockError } from "../contract/mock-error.js";
import type { WaitRequest } from "../contract/types.js";
import type { Entry, Journal } from "./journal.js";
import { differences } from "./match.js";

/** How many of the calls that came close are told. */
const nearMisses = 5;

/** Those who wait for calls that have not come yet. */
export class Waits {
  readonly #journal: Journal;
  readonly #waiting = new Set<{ check: () => void; fail: (reason: MockError) => void }>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The entries that match, once there are enough of them; rejects with the near misses when time is up. */
  wait(request: WaitRequest): Promise<Entry[]> {
    const { count = 1, timeoutMs = 5_000 } = request;
    return new Promise((resolve, reject) => {
      const waiting = {
        check: () => {
          const matching = this.#answered().filter((entry) => missesOf(request, entry).length === 0);
          if (matching.length < count) return;
          leave();
          resolve(matching);
        },
        fail: (reason: MockError) => {
          leave();
          reject(reason);
        },
      };
      const timer = setTimeout(() => waiting.fail(this.#timeout(request, count, timeoutMs)), timeoutMs);
      const leave = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
      };
      this.#waiting.add(waiting);
      waiting.check();
    });
  }

  /** Looks again, after a call was answered. */
  check(): void {
    for (const waiting of this.#waiting) waiting.check();
  }

  letGo(reason: string): void {
    for (const waiting of this.#waiting)
      waiting.fail(new MockError("let_go", `Nobody waits any more: ${reason}.`));
  }

  #answered(): Entry[] {
    return [...this.#journal].filter(({ outcome }) => outcome !== "pending");
  }

  #timeout(request: WaitRequest, count: number, timeoutMs: number): MockError {
    const looked = this.#answered().map((entry) => ({ entry, misses: missesOf(request, entry) }));
    const matching = looked.filter(({ misses }) => misses.length === 0).length;
    const close = looked
      .filter(({ misses }) => misses.length > 0)
      .sort((a, b) => a.misses.length - b.misses.length || b.entry.id - a.entry.id)
      .slice(0, nearMisses)
      .map(({ entry, misses }) => ({ path: `/requests/${entry.id}`, message: misses.join("; ") }));
    const came = looked.length === 0 ? "no call came at all" : `${looked.length} calls came`;
    const closest = close.length === 0 ? "" : " What came closest:";
    const answered = `${matching} of ${count} matching calls were answered within ${timeoutMs} ms`;
    return new MockError("timeout", `${answered}; ${came}.${closest}`, close);
  }
}

function missesOf(request: WaitRequest, entry: Entry): string[] {
  const misses = differences(request, entry.operation, entry.json);
  if (request.outcome !== undefined && request.outcome !== entry.outcome) {
    misses.push(`its outcome was ${entry.outcome}, not ${request.outcome}`);
  }
  return misses;
}

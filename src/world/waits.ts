import { MockError } from "../contract/mock-error.js";
import { clearTimeout, setTimeout } from "../foundation/clock.js";
import { counted } from "../foundation/grammar.js";
import { shippedSchemas } from "../generated/shipped-schemas.js";
import type { WaitRequest } from "../generated/types.js";
import type { Entry, Journal } from "./journal/journal.js";
import { closestMatches, matchesRule } from "./match.js";

/** The most requests that a timeout lists. */
const maxNearMisses = 5;

const { count: countField, timeoutMs: timeoutField } = shippedSchemas["wait.request.json"].properties;

const disconnected = "the client has disconnected";

interface Waiting {
  readonly look: (entry: Entry) => void;
  readonly fail: (reason: MockError) => void;
}

/** The waits of an epoch: each resolves once enough requests match. */
export class Waits {
  readonly #journal: Journal;
  readonly #waiting = new Set<Waiting>();
  /** Why the epoch ended; undefined while it goes on. */
  #endedBy: string | undefined;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The entries that match, once there are enough. Rejects with the near misses at the timeout, or on `gone`. */
  async wait(request: WaitRequest, gone?: AbortSignal): Promise<Entry[]> {
    const { count = countField.default, timeoutMs = timeoutField.default } = request;
    let found = this.#completed().filter((entry) => matchesRule(request, entry));
    if (found.length >= count) return found;
    if (this.#endedBy !== undefined) throw aborted(this.#endedBy);
    if (gone?.aborted) throw aborted(disconnected);
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
      };
      const fail = (reason: MockError) => {
        end();
        reject(reason);
      };
      const look = (entry: Entry) => {
        if (!matchesRule(request, entry)) return;
        // The journal may have dropped some of them since.
        found = [...found, entry].filter(({ id }) => this.#journal.get(id) !== undefined);
        if (found.length < count) return;
        end();
        resolve(found.sort((a, b) => a.id - b.id));
      };
      const waiting = { look, fail };
      const timer = setTimeout(() => fail(this.#timeout(request, count, timeoutMs)), timeoutMs);
      gone?.addEventListener("abort", () => fail(aborted(disconnected)));
      this.#waiting.add(waiting);
    });
  }

  /** Called with every entry once it is complete. */
  look(entry: Entry): void {
    for (const waiting of this.#waiting) waiting.look(entry);
  }

  abort(reason: string): void {
    this.#endedBy = reason;
    for (const waiting of this.#waiting) waiting.fail(aborted(reason));
  }

  #completed(): Entry[] {
    return [...this.#journal].filter(({ outcome }) => outcome !== "pending");
  }

  #timeout(request: WaitRequest, count: number, timeoutMs: number): MockError {
    const entries = this.#completed();
    const others = entries.filter((entry) => !matchesRule(request, entry));
    const wanted = counted(count, "matching request");
    const matching = `${entries.length - others.length} of ${wanted} completed within ${timeoutMs} ms`;
    const total =
      entries.length === 0 ? "there were no requests" : `${counted(entries.length, "request")} in total`;
    const closest = others.length === 0 ? "" : " Near misses:";
    const details = closestMatches(request, others, maxNearMisses).map(({ request: { id }, reason }) => {
      return { path: `/requests/${id}`, message: reason };
    });
    return new MockError("timeout", `${matching}; ${total}.${closest}`, details);
  }
}

function aborted(reason: string): MockError {
  return new MockError("aborted", `This wait was aborted: ${reason}.`);
}

import { clearTimeout, setTimeout } from "../../foundation/clock.js";
import { counted } from "../../foundation/grammar.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { WaitRequest } from "../../generated/types.js";
import { MockError } from "../contract/mock-error.js";
import type { Entry, Journal } from "./journal/journal.js";
import { closestMatches, matchesRule } from "./match.js";

const { count: countField, timeoutMs: timeoutField } = shippedSchemas["wait.request.json"].properties;

/** The waits of an epoch: each resolves once enough requests match. */
export class Waits {
  readonly #journal: Journal;
  /** Each looks whether its wait has ended. */
  readonly #waiting = new Set<(entry?: Entry) => void>();
  /** Why the epoch ended; undefined while it goes on. */
  #endedBy: string | undefined;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The entries that match, once there are enough. Rejects with the near misses at the timeout. */
  wait(request: WaitRequest): Promise<Entry[]> {
    const { count = countField.default, timeoutMs = timeoutField.default } = request;
    let found = this.#completed().filter((entry) => matchesRule(request, entry));
    return new Promise((resolve, reject) => {
      const fail = (error: MockError) => {
        stop();
        reject(error);
      };
      const look = (entry?: Entry) => {
        // The journal may have dropped some of them since.
        if (entry !== undefined && matchesRule(request, entry))
          found = [...found, entry].filter(({ id }) => this.#journal.get(id) !== undefined);
        if (found.length >= count) {
          stop();
          resolve(found.sort((a, b) => a.id - b.id));
        } else if (this.#endedBy !== undefined) {
          fail(new MockError("aborted", `This wait was aborted: ${this.#endedBy}.`));
        }
      };
      const timer = setTimeout(() => fail(this.#timeout(request, count, timeoutMs)), timeoutMs);
      const stop = () => {
        clearTimeout(timer);
        this.#waiting.delete(look);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Called with every entry once it is complete. */
  notify(entry?: Entry): void {
    for (const look of this.#waiting) look(entry);
  }

  abort(reason: string): void {
    this.#endedBy = reason;
    this.notify();
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
    const details = closestMatches(request, others).map(({ request: { id }, reason }) => {
      return { path: `/requests/${id}`, message: reason };
    });
    return new MockError("timeout", `${matching}; ${total}.${closest}`, details);
  }
}

import { seededToken } from "../seeded.js";

/** A request to the service that got a response. */
export interface Observed {
  readonly world: string;
  /** The value of its `tagHeader`. */
  readonly tag: string;
  readonly status: number;
  /** Its id in the journal, from the response header. */
  readonly journalId: number;
}

/** What is known of a case so far. */
export class CaseRecord {
  readonly observed: Observed[] = [];
  /** Whether a fault was armed, so that responses may be broken on purpose. */
  hasFaults = false;
  readonly #changed = new Set<string>();
  readonly #tokens = new Map<string, string>();
  readonly #owners = new Map<string, string>();

  /** Something may change a world through the admin API, now or later. `*` is every world. */
  noteChange(world: string): void {
    this.#changed.add(world);
  }

  /** Whether only the service has changed a world. Some rules are strict only then. */
  isPristine(world: string): boolean {
    return !this.#changed.has("*") && !this.#changed.has(world);
  }

  keepToken(world: string, id: string, token: string): void {
    this.#tokens.set(`${world}/${id}`, token);
  }

  /** The latest token of a group in a world. By default a token of the seed. */
  tokenOf(world: string, id: string): string {
    return this.#tokens.get(`${world}/${id}`) ?? seededToken;
  }

  /** The group that first had the token. */
  claimToken(token: string, owner: string): string {
    const first = this.#owners.get(token) ?? owner;
    this.#owners.set(token, first);
    return first;
  }
}

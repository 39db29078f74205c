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

interface Change {
  readonly world: string;
  readonly began: number;
  ended: number;
}

/**
 * What is known of a case so far. Which rules are strict depends on what else happens: a race in a world that is reset
 * meanwhile has two winners.
 */
export class CaseRecord {
  readonly observed: Observed[] = [];
  /** Whether a fault was armed, so that responses may be broken on purpose. */
  hasFaults = false;
  readonly #tokens = new Map<string, string>();
  readonly #owners = new Map<string, string>();
  #changes: Change[] = [];
  #now = 0;

  /** A point in time, for `isQuiet`. */
  now(): number {
    return ++this.#now;
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

  /** Starts something that may change a world. Returns a function to call at its end. `*` is every world. */
  changes(world: string): () => void {
    const change = { world, began: this.now(), ended: Number.POSITIVE_INFINITY };
    this.#changes.push(change);
    return () => {
      change.ended = this.now();
    };
  }

  /** Whether only the service has changed a world since it was created. */
  isPristine(world: string): boolean {
    return !this.#changes.some((change) => concerns(change, world));
  }

  /** Whether nothing changes a world now, or has changed it since that time. */
  isQuiet(world: string, since = this.#now): boolean {
    return !this.#changes.some((change) => concerns(change, world) && change.ended >= since);
  }

  /** A world was reset: earlier changes no longer count. */
  restart(world: string): void {
    this.#changes = this.#changes.filter(
      (change) => !(change.world === world || world === "*") || change.ended === Number.POSITIVE_INFINITY,
    );
  }
}

function concerns({ world }: Change, other: string): boolean {
  return world === "*" || other === "*" || world === other;
}

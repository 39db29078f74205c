import { seededToken } from "../seeded.js";

/** A call of the service that was answered. */
export interface Observed {
  readonly world: string;
  /** The value of the header that marks it. */
  readonly call: string;
  readonly status: number;
  /** Its id in the journal, as the answer tells. */
  readonly journalId: number;
}

interface Change {
  readonly world: string;
  readonly began: number;
  ended: number;
}

/**
 * What happened so far in a case, as far as this side can tell. Which rules hold strictly depends on what else was
 * going on: a race in a world that is being reset has two winners.
 */
export class CaseRecord {
  readonly observed: Observed[] = [];
  /** Whether a fault was armed, so that answers may be broken on purpose. */
  hasFaults = false;
  readonly #tokens = new Map<string, string>();
  readonly #owners = new Map<string, string>();
  #changes: Change[] = [];
  #now = 0;

  /** A moment, to be asked about later. */
  now(): number {
    return ++this.#now;
  }

  keepToken(world: string, id: string, token: string): void {
    this.#tokens.set(`${world}/${id}`, token);
  }

  /** The newest token of a group that was seen in a world. By default one that every world begins with. */
  tokenOf(world: string, id: string): string {
    return this.#tokens.get(`${world}/${id}`) ?? seededToken;
  }

  /** The group that a token was first seen with. */
  claimToken(token: string, owner: string): string {
    const first = this.#owners.get(token) ?? owner;
    this.#owners.set(token, first);
    return first;
  }

  /** Something that may change a world begins; the result is to be called at its end. `*` is every world. */
  changes(world: string): () => void {
    const change = { world, began: this.now(), ended: Number.POSITIVE_INFINITY };
    this.#changes.push(change);
    return () => {
      change.ended = this.now();
    };
  }

  /** Whether nothing has changed a world but the service itself, since it began. */
  isPristine(world: string): boolean {
    return !this.#changes.some((change) => concerns(change, world));
  }

  /** Whether nothing changes a world now, or has since then. */
  isQuiet(world: string, since = this.#now): boolean {
    return !this.#changes.some((change) => concerns(change, world) && change.ended >= since);
  }

  /** A world began anew: what was done to it before no longer counts. */
  beginAnew(world: string): void {
    this.#changes = this.#changes.filter(
      (change) => !(change.world === world || world === "*") || change.ended === Number.POSITIVE_INFINITY,
    );
  }
}

function concerns({ world }: Change, asked: string): boolean {
  return world === "*" || asked === "*" || world === asked;
}

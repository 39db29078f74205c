import type { Group } from "../contract/group-fields.js";

/** A token that a group has or had. */
interface HeldToken {
  /** `groupKey` of the group. */
  readonly key: string;
  /** How often the group had been rotated when it got the token. */
  readonly rotations: number;
  /** The request that rotated it out. */
  readonly rotatedOutBy: number | undefined;
}

/** Groups, and how they are found: by id, by name and by token. */
export class GroupIndex {
  readonly #groups = new Map<string, Group>();
  readonly #tokens = new Map<string, HeldToken>();
  /** `widestId` → `groupKey`. */
  readonly #keysOfId = new Map<string, string[]>();
  /** `nameKey` → `groupKey`. */
  readonly #keysOfName = new Map<string, string[]>();

  /** By `groupKey`, in the order in which they were put here. */
  get groups(): ReadonlyMap<string, Group> {
    return this.#groups;
  }

  /** In the order in which they were given. */
  get tokens(): ReadonlyMap<string, HeldToken> {
    return this.#tokens;
  }

  /** The keys of groups whose ids differ at most in case and in white space at their ends. */
  keysOfId(widest: string): readonly string[] {
    return this.#keysOfId.get(widest) ?? noKeys;
  }

  keysOfName(ofName: string): readonly string[] {
    return this.#keysOfName.get(ofName) ?? noKeys;
  }

  /** Adds a group, or replaces it. */
  put(group: Group): void {
    const { team_id, provided_id, name, token, rotations } = group;
    const key = groupKey(team_id, provided_id);
    const before = this.#groups.get(key);
    if (before === undefined) addTo(this.#keysOfId, widestId(provided_id), key);
    if (before === undefined || before.name !== name) {
      if (before !== undefined) this.#forgetName(before, key);
      addTo(this.#keysOfName, nameKey(team_id, name), key);
    }
    this.#groups.set(key, group);
    this.#tokens.set(token, { key, rotations, rotatedOutBy: undefined });
  }

  /** The token of a group becomes an old one. */
  rotateOut({ team_id, provided_id, token, rotations }: Group, rotatedOutBy: number): void {
    this.#tokens.set(token, { key: groupKey(team_id, provided_id), rotations, rotatedOutBy });
  }

  #forgetName({ team_id, name }: Group, key: string): void {
    const ofName = nameKey(team_id, name);
    this.#keysOfName.set(
      ofName,
      this.keysOfName(ofName).filter((other) => other !== key),
    );
  }
}

const noKeys: readonly string[] = [];

/** Adds an item to the list of that name. */
function addTo(lists: Map<string, string[]>, name: string, item: string): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [item]);
  else list.push(item);
}

/** Names a group among those of all teams. */
export function groupKey(teamId: number, providedId: string): string {
  return `${teamId} ${providedId}`;
}

/** Names a name of a group among those of all teams. */
export function nameKey(teamId: number, name: string): string {
  return `${teamId} ${name}`;
}

/** Equal for all ids that a service may take for the same. */
export function widestId(id: string): string {
  return id.trim().toLowerCase();
}

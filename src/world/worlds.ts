import { MockError } from "../contract/mock-error.js";
import { checkWorldName, defaultWorld } from "../contract/world-name.js";
import { monotonicNow } from "../foundation/clock.js";
import type { Health, WorldList } from "../generated/types.js";
import type { Journal } from "./journal/journal.js";
import { Journals } from "./journal/journals.js";
import { ServedWorld, type WorldParts } from "./served-world.js";

export interface WorldsParts extends Omit<WorldParts, "journals" | "changed"> {
  readonly maxWorlds: number;
  /** A smaller bound of all journals, for tests. */
  readonly maxJournalBytes?: number | undefined;
}

/** The worlds of one server, by name. */
export class Worlds {
  readonly #parts: WorldsParts & WorldParts;
  readonly #startedAt = monotonicNow();
  readonly #worlds = new Map<string, ServedWorld>();
  #changes = 0;

  constructor(parts: WorldsParts) {
    const { journalSize, maxJournalBytes } = parts;
    const journals = new Journals(journalSize, () => this.#liveJournals(), maxJournalBytes);
    const changed = () => void this.#changes++;
    this.#parts = { ...parts, journals, changed };
    this.enter(defaultWorld);
  }

  *#liveJournals(): Generator<Journal> {
    for (const { epoch } of this.#worlds.values()) yield epoch.journal;
  }

  /** What every world starts with. */
  get base(): WorldParts {
    return this.#parts;
  }

  /** How many journals were removed because of the bounds. */
  get forgotten(): number {
    return this.#parts.journals.forgotten;
  }

  /** The world of that name. If there is none, a preview of it, which is not stored. */
  find(name: string): ServedWorld {
    const known = this.#worlds.get(name);
    if (known !== undefined) return known;
    checkWorldName(name);
    return new ServedWorld(name, this.#parts, true);
  }

  /** All worlds, and previews of dropped worlds that are in the history. */
  all(): readonly ServedWorld[] {
    const names = new Set([...this.#worlds.keys(), ...this.#parts.journals.worlds]);
    return [...names].map((name) => this.find(name));
  }

  /** The world of that name. Creates it on first use. */
  enter(name: string): ServedWorld {
    const known = this.#worlds.get(name);
    if (known !== undefined) return known;
    checkWorldName(name);
    const { maxWorlds } = this.#parts;
    if (this.#worlds.size >= maxWorlds) {
      const advice = "Drop some (DELETE /__admin/worlds), or start with a larger --max-worlds.";
      throw new MockError("too_many_worlds", `There are already ${maxWorlds} worlds. ${advice}`);
    }
    const world = new ServedWorld(name, this.#parts);
    this.#worlds.set(name, world);
    this.#changes++;
    return world;
  }

  health({ name, epoch }: ServedWorld): Health {
    return {
      status: "ok",
      version: this.#parts.version,
      world: name,
      worlds: this.#worlds.size,
      groups: epoch.groups.size,
      uptimeMs: Math.round(monotonicNow() - this.#startedAt),
      changes: this.#changes,
    };
  }

  /** The world that issued a token: a client that sends it to another one has mixed up two base URLs. */
  issuerOf(token: string): string | undefined {
    for (const { name, epoch } of this.#worlds.values()) if (epoch.groups.issued(token)) return name;
    return undefined;
  }

  list(): WorldList {
    const worlds = [...this.#worlds.values()].map(({ name, epoch: { groups, journal } }) => {
      return { name, groups: groups.size, ...journal.counts };
    });
    return { apiToken: this.#parts.seed.firstApiToken, worlds };
  }

  /** Removes a world. The default world is created again. */
  drop(name: string): void {
    const world = this.#worlds.get(name);
    if (world === undefined) throw new MockError("unknown_world", `There is no world ${name}.`);
    this.#worlds.delete(name);
    world.drop();
    this.#changes++;
    this.enter(defaultWorld);
  }

  dropAll(): void {
    for (const name of [...this.#worlds.keys()]) this.drop(name);
  }

  stop(): void {
    for (const world of this.#worlds.values()) world.stop();
  }
}

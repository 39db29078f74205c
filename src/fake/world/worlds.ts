import { monotonicNow } from "../../foundation/clock.js";
import type { Health, WorldList } from "../../generated/types.js";
import { MockError } from "../contract/mock-error.js";
import { checkWorldName, defaultWorld } from "../contract/world-name.js";
import type { Journal } from "./journal/journal.js";
import { Journals } from "./journal/journals.js";
import { ServedWorld, type WorldParts } from "./served-world.js";

/** A world from one reset to the next: usually one test. */
export interface Test {
  readonly state: "current" | "past" | "dropped";
  readonly journal: Journal;
  /** Undefined if it was reset or dropped. */
  readonly world?: ServedWorld;
}

/** How many worlds a server can have. */
const maxWorlds = 10_000;

/** How many names of dropped worlds are remembered, so that a world that is used again repeats no token. */
const maxDropped = 100_000;

/** The worlds of one server, by name. */
export class Worlds {
  readonly parts: WorldParts;
  readonly #startedAt = monotonicNow();
  readonly #worlds = new Map<string, ServedWorld>();
  /** Name → number of the last epoch of a world that was dropped: a new world of that name goes on counting. */
  readonly #lastEpochs = new Map<string, number>();
  /** How much has happened. */
  #events = 0;

  constructor(parts: Omit<WorldParts, "journals" | "countBytes" | "happened">) {
    const journals = new Journals(parts.journalSize, this.#worlds);
    const { countBytes } = journals;
    this.parts = { ...parts, journals, countBytes, happened: () => void this.#events++ };
    this.enter(defaultWorld);
  }

  /** The world of that name. If there is none, a new one that is not stored: reading does not create a world. */
  peek(name: string): ServedWorld {
    const found = this.#worlds.get(name);
    if (found !== undefined) return found;
    checkWorldName(name);
    return new ServedWorld(this.parts, name, (this.#lastEpochs.get(name) ?? 0) + 1);
  }

  /** The world of that name. Creates it on first use. */
  enter(name: string): ServedWorld {
    const world = this.peek(name);
    if (this.#worlds.has(name)) return world;
    if (this.#worlds.size >= maxWorlds) {
      const advice = "Drop those that are no longer used: world.drop(), or DELETE /__admin/worlds/{name}.";
      throw new MockError("too_many_worlds", `There are already ${maxWorlds} worlds. ${advice}`);
    }
    this.#worlds.set(name, world);
    this.#lastEpochs.delete(name);
    this.parts.happened();
    return world;
  }

  health({ name, groups }: ServedWorld): Health {
    return {
      status: "ok",
      version: this.parts.version,
      world: name,
      worlds: this.#worlds.size,
      groups: groups.size,
      changedGroups: groups.changed,
      uptimeMs: Math.round(monotonicNow() - this.#startedAt),
      changes: this.#events,
    };
  }

  /** Where a token comes from that a client sent to another world, as a remark; undefined if no world has issued it. */
  describeIssuer(token: string): string | undefined {
    for (const [name, { groups }] of this.#worlds)
      if (groups.withToken(token)) return `current_token belongs to the world ${name}; check the base URL`;
    for (const { world, issued } of this.parts.journals.past)
      if (issued.has(token))
        return `current_token is from the world ${world}, which was reset or dropped since; clear your program's cache`;
    return undefined;
  }

  /**
   * Whether the history knows that the token was issued before the world was reset last. It does not keep journals
   * without requests and label.
   */
  issuedEarlier({ name, journal }: ServedWorld, token: string): boolean {
    return this.parts.journals.of(name).some((past) => past.epoch < journal.epoch && past.issued.has(token));
  }

  /** The tests of a world, or by default of all worlds, newest first. */
  tests(only?: string): readonly Test[] {
    const current = [...this.#worlds.values()].map((world): Test => {
      return { state: "current", journal: world.journal, world };
    });
    const past = [...this.parts.journals.past].map((journal): Test => {
      return { state: this.#worlds.has(journal.world) ? "past" : "dropped", journal };
    });
    return [...current, ...past]
      .filter(({ journal }) => only === undefined || journal.world === only)
      .sort((a, b) => b.journal.startedAt - a.journal.startedAt || b.journal.epoch - a.journal.epoch);
  }

  list(): WorldList {
    const worlds = [...this.#worlds].map(([name, { groups, journal }]) => {
      return { name, groups: groups.size, ...journal.counts };
    });
    return { apiToken: this.parts.seed.firstApiToken, worlds };
  }

  /** Replaces a world by a new one from the seed. The history keeps the journal of the old one. */
  reset(world: ServedWorld, label?: string): void {
    this.#end(world, "the world was reset");
    const epoch = world.journal.epoch + 1;
    this.#worlds.set(world.name, new ServedWorld(this.parts, world.name, epoch, label));
  }

  #end(world: ServedWorld, reason: string): void {
    world.abort({ code: "reset", reason });
    this.parts.journals.keep(world.journal, world.groups.issued);
  }

  /** Removes a world. The default world is created again. */
  drop(name: string): void {
    const world = this.#worlds.get(name);
    if (world === undefined) throw new MockError("unknown_world", `There is no world ${name}.`);
    this.#worlds.delete(name);
    this.#end(world, "the world was dropped");
    this.#lastEpochs.set(name, world.journal.epoch);
    for (const oldest of this.#lastEpochs.keys()) {
      if (this.#lastEpochs.size <= maxDropped) break;
      this.#lastEpochs.delete(oldest);
    }
    this.enter(defaultWorld);
  }

  /** The server stops. The worlds stay, for the report. */
  stop(): void {
    for (const world of this.#worlds.values())
      world.abort({ code: "stopped", reason: "the mock was stopped" });
  }
}

import { monotonicNow } from "../../foundation/clock.js";
import type { Health, WorldList } from "../../generated/types.js";
import { maxWorlds } from "../contract/limits.js";
import { MockError } from "../contract/mock-error.js";
import { checkWorldName, defaultWorld } from "../contract/world-name.js";
import type { Epoch, WorldParts } from "./epoch.js";
import { Journals, type PastEpoch } from "./journal/journals.js";
import { ServedWorld } from "./served-world.js";

/** An epoch of a world: usually one test. */
export type Test =
  | { readonly state: "current"; readonly epoch: Epoch }
  | { readonly state: "past" | "dropped"; readonly epoch: PastEpoch };

/** How many names of dropped worlds are remembered, so that a world that is used again repeats no token. */
const maxDropped = 100_000;

/** The worlds of one server, by name. */
export class Worlds {
  readonly parts: WorldParts;
  readonly #startedAt = monotonicNow();
  readonly #worlds = new Map<string, ServedWorld>();
  /** Name → number of the last epoch of a world that was dropped: a new world of that name goes on counting. */
  readonly #lastEpochs = new Map<string, number>();
  #changes = 0;

  constructor(parts: Omit<WorldParts, "journals" | "changed">) {
    const journals = new Journals(parts.journalSize, this.#worlds);
    this.parts = { ...parts, journals, changed: () => void this.#changes++ };
    this.enter(defaultWorld);
  }

  /** The world of that name. If there is none, a new one that is not stored: reading does not create a world. */
  peek(name: string): ServedWorld {
    const known = this.#worlds.get(name);
    if (known !== undefined) return known;
    checkWorldName(name);
    return new ServedWorld(name, this.parts, (this.#lastEpochs.get(name) ?? 0) + 1);
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
    this.parts.changed();
    return world;
  }

  health({ world, groups }: Epoch): Health {
    return {
      status: "ok",
      version: this.parts.version,
      world,
      worlds: this.#worlds.size,
      groups: groups.size,
      changedGroups: groups.changed,
      uptimeMs: Math.round(monotonicNow() - this.#startedAt),
      changes: this.#changes,
    };
  }

  /** Where a token comes from that a client sent to another world, as a remark; undefined if no world has issued it. */
  describeIssuer(token: string): string | undefined {
    for (const [name, { epoch }] of this.#worlds)
      if (epoch.groups.withToken(token))
        return `current_token belongs to the world ${name}; check the base URL`;
    for (const { world, issued } of this.parts.journals.past)
      if (issued.has(token))
        return `current_token is from the world ${world}, which was reset or dropped since; clear your program's cache`;
    return undefined;
  }

  /**
   * Whether the history knows that the token was issued before this epoch of its world. It does not keep an epoch without
   * requests and label.
   */
  issuedEarlier({ world, number }: Epoch, token: string): boolean {
    return this.parts.journals.of(world).some((past) => past.number < number && past.issued.has(token));
  }

  /** Every epoch of a world, or by default of all worlds, newest first. */
  tests(only?: string): readonly Test[] {
    const current = [...this.#worlds.values()].map(({ epoch }): Test => ({ state: "current", epoch }));
    const past = [...this.parts.journals.past].map((epoch): Test => {
      return { state: this.#worlds.has(epoch.world) ? "past" : "dropped", epoch };
    });
    return [...current, ...past]
      .filter(({ epoch }) => only === undefined || epoch.world === only)
      .sort((a, b) => b.epoch.startedAt - a.epoch.startedAt || b.epoch.number - a.epoch.number);
  }

  list(): WorldList {
    const worlds = [...this.#worlds].map(([name, { epoch }]) => {
      return { name, groups: epoch.groups.size, ...epoch.journal.counts };
    });
    return { apiToken: this.parts.seed.firstApiToken, worlds };
  }

  /** Removes a world. The default world is created again. */
  drop(name: string): void {
    const world = this.#worlds.get(name);
    if (world === undefined) throw new MockError("unknown_world", `There is no world ${name}.`);
    this.#worlds.delete(name);
    world.close("the world was dropped");
    this.#lastEpochs.set(name, world.epoch.number);
    for (const oldest of this.#lastEpochs.keys()) {
      if (this.#lastEpochs.size <= maxDropped) break;
      this.#lastEpochs.delete(oldest);
    }
    this.enter(defaultWorld);
  }

  /** The server stops. The epochs stay the current ones, for the report. */
  stop(): void {
    for (const { epoch } of this.#worlds.values())
      epoch.end({ code: "stopped", reason: "the mock was stopped" });
  }
}

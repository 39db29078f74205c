import { joinRecords, type MockRecord, type ReportJson } from "../contract/report-records.js";
import { defaultWorld, worldNamePattern } from "../contract/world-name.js";
import { monotonicNow } from "../foundation/clock.js";
import { MockError, type MockErrorCode } from "../foundation/mock-error.js";
import type { Health, WorldList } from "../generated/types.js";
import { type Bounds, bytesOf, defaultBounds, megabytes } from "./bounds.js";
import { HostedWorld, type WorldParts } from "./hosted-world.js";
import { History } from "./journal/history.js";
import { seedJson, worldRecord } from "./journal/report.js";

export interface WorldsParts extends Omit<WorldParts, "bounds" | "history" | "assertTotal"> {
  readonly maxWorlds: number;
  readonly bounds?: Bounds | undefined;
}

/** The worlds of one server, by name. */
export class Worlds {
  readonly #parts: WorldsParts & WorldParts;
  readonly #startedAt = monotonicNow();
  readonly #worlds = new Map<string, HostedWorld>();

  constructor(parts: WorldsParts) {
    const { bounds = defaultBounds, journalSize } = parts;
    this.#parts = {
      ...parts,
      bounds,
      history: new History(journalSize, bounds.journalCharacters),
      assertTotal: () => this.#assertTotal("too_many_bytes"),
    };
    this.enter(defaultWorld);
  }

  /** The world of that name. If there is none, a preview of it, which is not stored. */
  findOrPreview(name: string): HostedWorld {
    const known = this.#worlds.get(name);
    if (known !== undefined) return known;
    checkWorldName(name);
    return new HostedWorld(name, this.#parts, true);
  }

  /** The report of one world, or of all worlds. */
  report(world: HostedWorld, all: boolean): ReportJson {
    return joinRecords([this.record(all ? undefined : world)], this.#parts.version);
  }

  /** What a report needs of one world, or of all worlds. */
  record(only?: HostedWorld): MockRecord {
    const worlds = only === undefined ? this.all() : [only];
    return {
      seed: seedJson(this.#parts),
      worlds: worlds.map((world) => worldRecord(world, this.#parts)),
      forgotten: only === undefined ? this.#parts.history.forgotten : 0,
    };
  }

  /** All worlds, and previews of dropped worlds that are in the history. */
  all(): readonly HostedWorld[] {
    const names = new Set([...this.#worlds.keys(), ...this.#parts.history.worlds]);
    return [...names].map((name) => this.findOrPreview(name));
  }

  /** The world of that name. Creates it on first use. */
  enter(name: string): HostedWorld {
    const known = this.#worlds.get(name);
    if (known !== undefined) return known;
    checkWorldName(name);
    const { maxWorlds } = this.#parts;
    if (this.#worlds.size >= maxWorlds) {
      const advice = "Drop some (DELETE /__admin/worlds), or start with a larger --max-worlds.";
      throw new MockError("too_many_worlds", `There are already ${maxWorlds} worlds. ${advice}`);
    }
    const { size } = this.#worlds;
    // There is always a default world. Adding up 10,000 worlds takes a millisecond: not for each of them.
    if (name !== defaultWorld && (size < 100 || size % 100 === 0)) this.#assertTotal("too_many_worlds");
    const world = new HostedWorld(name, this.#parts);
    this.#worlds.set(name, world);
    return world;
  }

  #assertTotal(code: MockErrorCode): void {
    const { totalBytes } = this.#parts.bounds;
    if (bytesOf(this.#worlds.values()) <= totalBytes) return;
    const message = `All worlds together use more than ${megabytes(totalBytes)}. Reset or drop worlds, or forget snapshots.`;
    throw new MockError(code, message);
  }

  health({ name, epoch }: HostedWorld): Health {
    return {
      status: "ok",
      version: this.#parts.version,
      world: name,
      worlds: this.#worlds.size,
      groups: epoch.groups.size,
      uptimeMs: Math.round(monotonicNow() - this.#startedAt),
    };
  }

  /** The world that issued a token: a caller that sends it to another one has mixed up two base URLs. */
  issuerOf(token: string): string | undefined {
    for (const { name, epoch } of this.#worlds.values()) if (epoch.groups.issued(token)) return name;
    return undefined;
  }

  list(): WorldList {
    const worlds = [...this.#worlds.values()].map(({ name, epoch: { groups, journal } }) => {
      return { name, groups: groups.size, ...journal.counts };
    });
    return { worlds };
  }

  /** Removes a world. The default world is created again. */
  drop(name: string): void {
    const world = this.#worlds.get(name);
    if (world === undefined) throw new MockError("unknown_world", `There is no world ${name}.`);
    this.#worlds.delete(name);
    world.drop();
    this.enter(defaultWorld);
  }

  dropAll(): void {
    for (const name of [...this.#worlds.keys()]) this.drop(name);
  }

  stop(): void {
    for (const world of this.#worlds.values()) world.stop();
  }
}

const validWorldName = new RegExp(`^${worldNamePattern}$`);

/** Throws if a world cannot have that name. */
export function checkWorldName(name: unknown): asserts name is string {
  if (typeof name === "string" && validWorldName.test(name)) return;
  const rule = "Use 1 to 64 of the characters A–Z a–z 0–9 . _ -, but not . or .. alone.";
  throw new MockError("invalid_world", `${JSON.stringify(name)} is not a valid world name. ${rule}`);
}

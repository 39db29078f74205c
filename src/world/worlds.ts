import { joinRecords, type MockRecord, type ReportJson } from "../contract/report-records.js";
import { defaultWorld, worldNamePattern } from "../contract/world-name.js";
import { monotonicNow } from "../foundation/clock.js";
import { MockError, type MockErrorCode } from "../foundation/mock-error.js";
import type { Health, WorldList } from "../generated/types.js";
import { type Bounds, defaultBounds, megabytes } from "./bounds.js";
import { HostedWorld, type WorldParts } from "./hosted-world.js";
import { History } from "./journal/history.js";
import { type ReportSource, seedJson, worldRecord } from "./journal/report.js";

export interface WorldsParts extends Omit<WorldParts, "bounds" | "history" | "assertRoom"> {
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
      assertRoom: () => this.#assertRoom("too_many_bytes"),
    };
    this.enter(defaultWorld);
  }

  has(name: string): boolean {
    return this.#worlds.has(name);
  }

  /** The world of that name. If there is none: a preview of it, which nobody else sees. */
  findOrPreview(name: string): HostedWorld {
    const known = this.#worlds.get(name);
    if (known !== undefined) return known;
    checkWorldName(name);
    return new HostedWorld(name, this.#parts, false);
  }

  /** The report of one world, or of all that there are and were. */
  report(world: HostedWorld, all: boolean): ReportJson {
    return joinRecords([this.record(all ? undefined : world)], this.#parts.version);
  }

  /** What a report needs of one world, or of all that there are and were. */
  record(only?: HostedWorld): MockRecord {
    const { history } = this.#parts;
    const dropped = [...history.worlds].filter((name) => !this.#worlds.has(name));
    const sources: ReportSource[] = [
      ...(only === undefined ? this.#worlds.values() : [only]),
      ...(only === undefined ? dropped : []).map((name) => ({
        name,
        epoch: undefined,
        past: history.of(name),
        nextNumber: history.nextNumber(name),
      })),
    ];
    return {
      seed: seedJson(this.#parts),
      worlds: sources.map((source) => worldRecord(source, this.#parts)),
      forgotten: only === undefined ? history.forgotten : 0,
    };
  }

  /** All worlds that there are, and those that were dropped and have a past. */
  all(): readonly HostedWorld[] {
    const names = new Set([...this.#worlds.keys(), ...this.#parts.history.worlds]);
    return [...names].map((name) => this.findOrPreview(name));
  }

  /** The world of that name. It comes to life on first use. */
  enter(name: string): HostedWorld {
    const known = this.#worlds.get(name);
    if (known !== undefined) return known;
    checkWorldName(name);
    const { maxWorlds } = this.#parts;
    if (this.#worlds.size >= maxWorlds) {
      const advice = "Drop some (DELETE /__admin/worlds), or start with a larger --max-worlds.";
      throw new MockError("too_many_worlds", `There are ${maxWorlds} worlds already. ${advice}`);
    }
    const { size } = this.#worlds;
    // There is always a default world. To sum up 10,000 worlds takes a millisecond, so not for each of them.
    if (name !== defaultWorld && (size < 100 || size % 100 === 0)) this.#assertRoom("too_many_worlds");
    const world = new HostedWorld(name, this.#parts);
    this.#worlds.set(name, world);
    return world;
  }

  #assertRoom(code: MockErrorCode): void {
    const { totalBytes } = this.#parts.bounds;
    let bytes = 0;
    for (const world of this.#worlds.values()) bytes += world.bytes;
    if (bytes <= totalBytes) return;
    const message = `All worlds together keep more than ${megabytes(totalBytes)}. Reset or drop some, or forget snapshots.`;
    throw new MockError(code, message);
  }

  health({ name, epoch }: HostedWorld): Health {
    const { groups } = epoch;
    return {
      status: "ok",
      version: this.#parts.version,
      world: name,
      worlds: this.#worlds.size,
      groups: groups.size,
      uptimeMs: Math.round(monotonicNow() - this.#startedAt),
    };
  }

  /** The world that issued a token: a caller that sends it to another one has mixed up two base URLs. */
  issuerOf(token: string): string | undefined {
    for (const { name, epoch } of this.#worlds.values()) if (epoch.groups.issued(token)) return name;
    return undefined;
  }

  list(): WorldList {
    const worlds = [...this.#worlds.values()].map(({ name, epoch }) => ({
      name,
      groups: epoch.groups.size,
      ...epoch.journal.counts,
    }));
    return { worlds };
  }

  /** Removes a world with all that is in it. The default one begins anew. */
  drop(name: string): void {
    const world = this.#worlds.get(name);
    if (world === undefined) throw new MockError("unknown_world", `There is no world ${name} to drop.`);
    this.#worlds.delete(name);
    // Whoever watches must not bring it back to life by watching again.
    world.events.emit({ type: "change", what: "dropped" });
    world.end("the world was dropped");
    this.enter(defaultWorld);
  }

  dropAll(): void {
    for (const name of [...this.#worlds.keys()]) this.drop(name);
  }

  /** The server stops. */
  end(): void {
    for (const world of this.#worlds.values()) world.end("the mock was stopped");
  }
}

const validWorldName = new RegExp(`^${worldNamePattern}$`);

/** Throws when a world cannot have that name. */
export function checkWorldName(name: unknown): asserts name is string {
  if (typeof name === "string" && validWorldName.test(name)) return;
  const rule = "1 to 64 of A–Z a–z 0–9 . _ -, and neither . nor ..";
  throw new MockError(
    "invalid_world",
    `${JSON.stringify(name)} cannot be the name of a world: a name is ${rule}.`,
  );
}

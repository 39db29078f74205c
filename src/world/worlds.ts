import { readFixtures } from "../contract/fixtures.js";
import type { Schemas } from "../contract/schemas.js";
import type { Fixture, Health } from "../contract/types.js";
import type { AssumptionValues } from "../service/assumptions.js";
import { plantSeed, type Seed } from "../service/seed.js";
import { World } from "./world.js";

export const defaultWorld = "default";

export interface WorldsParts {
  readonly seed: Seed;
  readonly assumptions: AssumptionValues;
  readonly schemas: Schemas;
  readonly version: string;
}

/** The worlds of one server, by name, and what a test can do to them: the admin API and `World` both end here. */
export class Worlds {
  readonly #parts: WorldsParts;
  readonly #startedAt = performance.now();
  readonly #worlds = new Map<string, World>();

  constructor(parts: WorldsParts) {
    this.#parts = parts;
    this.enter(defaultWorld);
  }

  /** The world of that name, which comes to life on first use. */
  enter(name: string): World {
    return this.#worlds.get(name) ?? this.#begin(name);
  }

  health(name: string): Health {
    return {
      status: "ok",
      version: this.#parts.version,
      world: name,
      worlds: this.#worlds.size,
      groups: this.enter(name).groups.size,
      uptimeMs: Math.round(performance.now() - this.#startedAt),
    };
  }

  /** Back to the seed: groups, journal, faults, assumptions. */
  reset(name: string): void {
    this.#begin(name);
  }

  state(name: string): Fixture {
    return this.enter(name).groups.export();
  }

  /** Replaces teams and groups, or throws and changes nothing. A later reset still goes back to the seed. */
  load(name: string, fixture: unknown): void {
    const { schemas, seed } = this.#parts;
    // The schema inside looks at what was given; nothing is believed before.
    const reading = readFixtures([fixture as Fixture], schemas);
    this.enter(name).groups.restart(plantSeed(reading, seed.randomSeed));
  }

  #begin(name: string): World {
    const world = new World(name, this.#parts.seed, this.#parts.assumptions);
    this.#worlds.set(name, world);
    return world;
  }
}

import { afterAll, beforeAll, beforeEach } from "vitest";
import { startMock } from "../../../src/client/start-mock.js";
import type { Mock, World } from "../../../src/client/world.js";
import type { MockOptions } from "../../../src/generated/types.js";

export interface OwnWorld {
  /** The mock of this suite. */
  readonly mock: Mock;
  /** The world of this test. */
  readonly world: World;
}

/** One mock for the suite that calls this. A test begins with the seed, and without other worlds. */
export function ownMock(options: MockOptions = {}): Pick<OwnWorld, "mock"> {
  let mock: Mock;
  beforeAll(async () => {
    mock = await startMock(options);
  });
  beforeEach(async () => {
    for (const { name } of await mock.worlds()) await mock.world(name).drop();
  });
  afterAll(() => mock.stop());
  return {
    get mock() {
      return mock;
    },
  };
}

/** One mock for the suite that calls this, with a new world for every test. */
export function ownWorld(options: MockOptions = {}): OwnWorld {
  const own = ownMock(options);
  let world: World;
  let tests = 0;
  beforeEach(() => {
    world = own.mock.world(`test-${++tests}`);
  });
  return {
    get mock() {
      return own.mock;
    },
    get world() {
      return world;
    },
  };
}

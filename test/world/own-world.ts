import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import type { Mock, World } from "../../src/client/world.js";
import type { MockOptions } from "../../src/generated/types.js";
import { call } from "../call.js";

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
  beforeEach(() => call("DELETE", `${mock.url}/__admin/worlds`));
  afterAll(() => mock.stop());
  return {
    get mock() {
      return mock;
    },
  };
}

/** One mock for the suite that calls this, with a new world for every test. */
export function ownWorld(options: MockOptions = {}): OwnWorld {
  let mock: Mock;
  let world: World;
  let tests = 0;
  beforeAll(async () => {
    mock = await startMock(options);
  });
  beforeEach(() => {
    world = mock.world(`test-${++tests}`);
  });
  // Otherwise it would be one of the worlds of the next test.
  afterEach(() => mock.world(world.name).drop());
  afterAll(() => mock.stop());
  return {
    get mock() {
      return mock;
    },
    get world() {
      return world;
    },
  };
}

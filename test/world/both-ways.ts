import { connectMock } from "../../src/client/connect-mock.js";
import type { Mock, World } from "../../src/client/world.js";

/** The default world of `mock`, controlled in one of two ways. */
export type Steer = (mock: Mock) => Promise<World>;

/** For `describe.each`: `World` behaves equally in the process and over the admin API. */
export const bothWays: readonly (readonly [name: string, steer: Steer])[] = [
  ["startMock", async (mock) => mock],
  ["connectMock", (mock) => connectMock(mock.url)],
];

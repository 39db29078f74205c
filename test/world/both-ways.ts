import { connectMock } from "../../src/mock/connect-mock.js";
import type { Mock, World } from "../../src/mock/world.js";

/** Steers the default world of `mock` in one of the two ways that there are. */
export type Steer = (mock: Mock) => Promise<World>;

/** For `describe.each`: what a test controls is the same within the process and over the admin API. */
export const bothWays: readonly (readonly [name: string, steer: Steer])[] = [
  ["startMock", async (mock) => mock],
  ["connectMock", (mock) => connectMock(mock.url)],
];

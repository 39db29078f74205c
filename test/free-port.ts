import { startMock } from "../src/index.js";

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  await using mock = await startMock();
  return Number(new URL(mock.url).port);
}

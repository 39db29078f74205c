import { followJestTests } from "./jest-hooks.js";
import { setUp } from "./set-up.js";

/** For `setupFilesAfterEnv`. Jest calls the function that a CommonJS module exports, and waits for it. */
export async function setUpJest(): Promise<void> {
  followJestTests(await setUp());
}

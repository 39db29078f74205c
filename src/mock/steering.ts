import type { Fixture, Health } from "../contract/types.js";

/**
 * A world, and what a test can do to it. The same whether the fake runs in this process (`startMock`) or in
 * another (`connectMock`).
 */
export interface World {
  /** The base URL of the service in this world, without a slash at the end. */
  readonly url: string;
  /** The first API token that the fixtures list. */
  readonly apiToken: string;
  /** Whether it is alive, and how much is in it. */
  health(): Promise<Health>;
  /** Back to the seed. Once it resolves, nothing of an earlier call shows any more. */
  reset(): Promise<void>;
  /** The teams and groups as they are now, in the shape of a fixture. */
  state(): Promise<Fixture>;
  /** Replaces teams and groups, or rejects and changes nothing. A later reset still goes back to the seed. */
  load(fixture: Fixture): Promise<void>;
}

/** A fake that runs in this process. */
export interface Mock extends World, AsyncDisposable {
  /** Ends it within a second; calls in flight get their answer. Calling it again does nothing more. */
  stop(): Promise<void>;
}

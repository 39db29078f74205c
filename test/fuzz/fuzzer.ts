import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { cases } from "./case-arbitrary.js";
import { Finding } from "./finding.js";
import { toItsEnd } from "./patience.js";
import { playCase } from "./play-case.js";
import { type Launch, launchCli, ServerProcess } from "./server-process.js";
import type { Case } from "./steps.js";

export interface FuzzOptions {
  /** Determines every case. */
  readonly seed: number;
  readonly seconds: number;
  /** How long a failing case may be shrunk. */
  readonly shrinkSeconds?: number;
  /** Starts the server; by default the built command line. */
  readonly launch?: Launch;
}

export interface FuzzResult {
  readonly finding?: Finding;
  /** The smallest case with the finding. */
  readonly smallest?: Case;
  /** The seed with which the failing case is the first one. */
  readonly seed: number;
  readonly cases: number;
  readonly requests: number;
  readonly slowestMs: number;
  readonly peakMemory: number;
}

/** Plays generated cases until the time is over or one fails, and shrinks the failing case. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { seed, seconds, shrinkSeconds = 60, launch = launchCli } = options;
  const player = new Player(launch);
  const end = performance.now() + seconds * 1_000;
  let finding: Finding | undefined;
  let shrinkUntil = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(cases, async (steps) => {
    if (performance.now() > shrinkUntil) return;
    const found = await player.play(steps);
    if (found === undefined || (finding !== undefined && finding.rule !== found.rule)) return;
    finding ??= found;
    shrinkUntil = Math.min(shrinkUntil, performance.now() + shrinkSeconds * 1_000);
    throw found;
  });
  try {
    for (let n = 0; performance.now() < end; n++) {
      // A seed for each case, so that it can be repeated without the previous cases. fast-check generates similar values
      // for seeds that are close to each other.
      const only = { seed: Math.imul(seed + n, 0x9e3779b1), numRuns: 1, unbiased: true };
      const { counterexample } = await fc.check(property, only);
      if (finding !== undefined && counterexample !== null)
        return { ...player.totals, finding, smallest: counterexample[0], seed: seed + n };
    }
    return { ...player.totals, seed };
  } finally {
    await player.stop();
  }
}

/** Plays one stored case. */
export async function replay(steps: Case, launch: Launch = launchCli): Promise<Finding | undefined> {
  const player = new Player(launch);
  try {
    return await player.play(steps);
  } finally {
    await player.stop();
  }
}

/** Plays cases on a server, which it restarts when it has ended or a case has failed. */
class Player {
  readonly totals = { cases: 0, requests: 0, slowestMs: 0, peakMemory: 0 };
  readonly #launch: Launch;
  #server: ServerProcess | undefined;

  constructor(launch: Launch) {
    this.#launch = launch;
  }

  /**
   * Returns the broken rule, if any. A finding that may be noise has to be found three times, and a bystander has to get
   * its responses far sooner when nothing else is sent: otherwise the machine is busy.
   */
  async play(steps: Case): Promise<Finding | undefined> {
    let misses = 0;
    for (let tries = 0; tries < 10; tries++) {
      const found = await this.#playOnce(steps);
      if (found?.ms === undefined) return found;
      if ((await this.#idleWait()) < found.ms / 3) misses++;
      if (misses === 3) return found;
    }
    return undefined;
  }

  async stop(): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    this.#server = undefined;
  }

  async #playOnce(steps: Case): Promise<Finding | undefined> {
    const server = await this.#running();
    const before = server.requests;
    this.totals.cases++;
    try {
      const { bystanderMs, memory } = await toItsEnd(playCase(steps, server));
      this.totals.slowestMs = Math.max(this.totals.slowestMs, bystanderMs);
      this.totals.peakMemory = Math.max(this.totals.peakMemory, memory);
      return undefined;
    } catch (error) {
      if (!(error instanceof Finding)) throw error;
      if (error.leavesTraces) await this.stop();
      return error;
    } finally {
      this.totals.requests += server.requests - before;
    }
  }

  async #running(): Promise<ServerProcess> {
    if (this.#server?.isAlive === false) await this.stop();
    this.#server ??= await ServerProcess.start(this.#launch);
    return this.#server;
  }

  /** How long a bystander waits for a response while nothing else is sent, in milliseconds. */
  async #idleWait(): Promise<number> {
    const server = await this.#running();
    await server.bystanderWaited();
    await setTimeout(200);
    return server.bystanderWaited();
  }
}

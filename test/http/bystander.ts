import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** How long a bystander may have to wait, in milliseconds, whatever others send. */
export const bystanderBound = 250;

/** An innocent caller in another world, and in a thread of its own: what this thread does must not delay it. */
export class Bystander {
  readonly #worker: Worker;
  /** Rejects once a call of the bystander failed. */
  readonly #failed: Promise<never>;

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.#failed = once(worker, "error").then(([error]) => Promise.reject(error));
    this.#failed.catch(() => {});
  }

  static async start(url: string): Promise<Bystander> {
    const bystander = new Bystander(
      new Worker(new URL("bystander.mjs", import.meta.url), { workerData: url }),
    );
    await bystander.#message();
    return bystander;
  }

  /** Its slowest call since the last time, with the one that is under way, in milliseconds. */
  async slowest(): Promise<number> {
    this.#worker.postMessage("report");
    return Number(await this.#message());
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  async #message(): Promise<unknown> {
    const abort = new AbortController();
    try {
      const [message] = await Promise.race([
        once(this.#worker, "message", { signal: abort.signal }),
        this.#failed,
      ]);
      return message;
    } finally {
      abort.abort();
    }
  }
}

/** The slowest call of a bystander while something else goes on, in milliseconds. */
export async function slowestCallDuring(url: string, work: () => Promise<unknown>): Promise<number> {
  const bystander = await Bystander.start(url);
  try {
    await work();
    return await bystander.slowest();
  } finally {
    await bystander.stop();
  }
}

/** Machines are noisy: a bound is missed when it is missed three times. */
export async function leastOfThree(measure: () => Promise<number>, bound: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least > bound; tries++) least = Math.min(least, await measure());
  return least;
}

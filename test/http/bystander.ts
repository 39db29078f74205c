import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** How long a bystander may have to wait, in milliseconds, while others send requests to the service. */
export const bystanderBound = 250;

/** The same while others send admin bodies, of 10 MB at most: they are parsed and validated in one go. */
export const adminBystanderBound = 3_000;

/** A client in another world, and in a thread of its own: what this thread does must not delay it. */
export class Bystander {
  readonly #worker: Worker;
  /** Rejects once a call of the bystander failed. */
  readonly #failed: Promise<never>;

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.#failed = once(worker, "error").then(([error]) => Promise.reject(error));
    this.#failed.catch(() => {});
  }

  static async start(url: string, pid: number | undefined): Promise<Bystander> {
    const bystander = new Bystander(
      new Worker(new URL("bystander.mjs", import.meta.url), { workerData: { url, pid } }),
    );
    await bystander.#message();
    return bystander;
  }

  /** For how long the server kept it waiting at most since the last time, in milliseconds. */
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

/** For how long a server kept a bystander waiting while something else went on, in milliseconds. */
export async function slowestCallDuring(
  url: string,
  pid: number | undefined,
  work: () => Promise<unknown>,
): Promise<number> {
  const bystander = await Bystander.start(url, pid);
  try {
    await work();
    return await bystander.slowest();
  } finally {
    await bystander.stop();
  }
}

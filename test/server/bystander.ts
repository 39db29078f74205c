import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** The longest time that a bystander may wait while others send requests to the service, in milliseconds. */
export const bystanderBound = 250;

/** The longest time that a bystander may wait while others send admin bodies, which are parsed in one go. */
export const adminBystanderBound = 3_000;

/** A client in another world and in its own thread, so that the test does not delay it. */
export class Bystander {
  readonly #worker: Worker;
  /** Rejects when a request of the bystander fails. */
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

  /** Its longest wait for a response since the last report, in milliseconds. */
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

/** The longest wait of a bystander during other work, in milliseconds. */
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

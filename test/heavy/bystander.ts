import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** The longest time that a bystander may wait while others send requests to the service, in milliseconds. */
export const bystanderBound = 250;

/** The longest time that a bystander may wait while others send admin bodies, which are parsed in one go. */
export const adminBystanderBound = 3_000;

/** The longest wait of a client in another world during other work, in milliseconds. The client has its own thread. */
export async function slowestCallDuring(
  url: string,
  pid: number | undefined,
  work: () => Promise<unknown>,
): Promise<number> {
  const bystander = new Worker(new URL("bystander.mjs", import.meta.url), { workerData: { url, pid } });
  const failed = once(bystander, "error").then(([error]) => Promise.reject(error));
  failed.catch(() => {});
  try {
    await Promise.race([once(bystander, "message"), failed]);
    await work();
    bystander.postMessage("report");
    const [slowest] = await Promise.race([once(bystander, "message"), failed]);
    return slowest;
  } finally {
    await bystander.terminate();
  }
}

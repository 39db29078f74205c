import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The bytes that are left after a collection: what is really kept. */
export function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  return process.memoryUsage().heapUsed;
}

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The size of the heap after a garbage collection. */
export function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  return process.memoryUsage().heapUsed;
}

import { MockError } from "../foundation/mock-error.js";

/**
 * Gives the rejections of an object's methods the stack of the code that used them. Otherwise, the stack
 * of a wait that timed out, or of an error that came over HTTP, has no line of the test.
 */
export function traceRejections<Target extends object>(target: Target): Target {
  for (const [name, { value: original }] of Object.entries(Object.getOwnPropertyDescriptors(target))) {
    if (typeof original !== "function") continue;
    const traced = (...given: unknown[]): unknown => {
      const result: unknown = original.apply(target, given);
      if (!isPromise(result)) return result;
      const callSite: { stack?: string } = {};
      Error.captureStackTrace(callSite, traced);
      return result.catch((error: unknown) => {
        const frames = /\n +at .*/s.exec(callSite.stack ?? "")?.[0] ?? "";
        if (error instanceof MockError) error.stack = `${error.name}: ${error.message}${frames}`;
        throw error;
      });
    };
    Object.defineProperty(target, name, { value: traced });
  }
  return target;
}

/** Does not use `instanceof`: under Jest, there is more than one `Promise`. */
function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === "object" && value !== null && "then" in value;
}

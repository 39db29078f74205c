import { MockError } from "../fake/contract/mock-error.js";

/**
 * Runs an action. If it rejects, the stack of the error begins with the line that used `method`. Otherwise, the stack
 * of a wait that timed out, or of an error that came over HTTP, has no line of the test.
 */
export function tracedTo<Result>(method: (...given: never[]) => unknown, action: () => Result): Result {
  // Takes the message of the rejection later: V8 writes the text of a stack when it is read.
  const atCall = new MockError("stopped", "");
  Error.captureStackTrace(atCall, method);
  const result = action();
  if (!isPromise(result)) return result;
  return result.catch((error: unknown) => {
    if (!(error instanceof MockError)) throw error;
    const { code, summary, details, message } = error;
    throw Object.assign(atCall, { code, summary, details, message });
  }) as Result;
}

/** Traces the rejections of all methods of an object. */
export function traceRejections<Target extends object>(target: Target): Target {
  for (const [name, { value: original }] of Object.entries(Object.getOwnPropertyDescriptors(target))) {
    if (typeof original !== "function") continue;
    const traced = (...given: unknown[]) => tracedTo(traced, (): unknown => original.apply(target, given));
    Object.defineProperty(target, name, { value: traced });
  }
  return target;
}

/** Does not use `instanceof`: under Jest, there is more than one `Promise`. */
function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === "object" && value !== null && "then" in value;
}

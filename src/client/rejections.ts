import type { RejectedRequest } from "../fake/server/guard.js";

/** Called with a request that the guard rejected: no journal has it. */
export type RejectionListener = (request: RejectedRequest) => void;

/** Global, because the entries of the frameworks are separate bundles. */
export const rejectionListeners = Symbol.for("usergroup-mock rejection listeners");

/** The listeners of a mock. Undefined if it runs in another process. */
export function listenersOf(mock: object): Set<RejectionListener> | undefined {
  return Reflect.get(mock, rejectionListeners);
}

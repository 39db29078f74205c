/** Called with the world and the number of a request when it has arrived. */
export type RequestListener = (world: string, request: number) => void;

/** Global, because the entries of the frameworks are separate bundles. */
export const requestListeners = Symbol.for("usergroup-mock request listeners");

/** The listeners of a mock. Undefined if it runs in another process. */
export function requestListenersOf(mock: object): Set<RequestListener> | undefined {
  return Reflect.get(mock, requestListeners);
}

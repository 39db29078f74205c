import { createRequire } from "node:module";

const load = createRequire(import.meta.url);
let loaded: typeof import("node:crypto") | undefined;

/**
 * node:crypto, loaded when it is first used. It takes a tenth of the time of an import of the package, and most test files
 * that import the package start no mock.
 */
export function crypto(): typeof import("node:crypto") {
  loaded ??= load("node:crypto") as typeof import("node:crypto");
  return loaded;
}

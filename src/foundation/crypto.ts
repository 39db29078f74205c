import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
let loaded: typeof import("node:crypto") | undefined;

/**
 * node:crypto, loaded when it is first used. It takes a tenth of the time of an import of the package, and most test files
 * that import the package start no mock.
 */
export function crypto(): typeof import("node:crypto") {
  loaded ??= require("node:crypto") as typeof import("node:crypto");
  return loaded;
}

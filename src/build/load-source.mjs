import { join } from "node:path";
import { runnerImport } from "vite";
import { root } from "./ensure-built.mjs";

/** Imports a module of src/. Node 20 cannot read TypeScript itself. @param {string} path */
export async function loadSource(path) {
  const { module } = await runnerImport(join(root, "src", path));
  return module;
}

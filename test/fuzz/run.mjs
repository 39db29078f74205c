// `node test/fuzz/run.mjs`: FUZZ_SEED, FUZZ_SECONDS, FUZZ_REPLAY=<file with the steps of a case>.
import { runnerImport } from "vite";
import { ensureBuilt } from "../../src/build/ensure-built.mjs";

// Node 20 cannot read TypeScript itself.
const config = { configFile: /** @type {const} */ (false), esbuild: { target: "node20" } };
const path = new URL("command.ts", import.meta.url).pathname;
ensureBuilt();
const { module } = await runnerImport(path, config);
process.exitCode = await /** @type {{ command(): Promise<number> }} */ (module).command();

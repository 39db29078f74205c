// `npm run test:fuzz`: FUZZ_SEED, FUZZ_SECONDS, FUZZ_REPLAY=<file with the steps of a case>.
import { runnerImport } from "vite";

// Node 20 cannot read TypeScript itself.
const config = { configFile: /** @type {const} */ (false), esbuild: { target: "node20" } };
const path = new URL("command.ts", import.meta.url).pathname;
const { module } = await runnerImport(path, config);
process.exitCode = await /** @type {{ command(): Promise<number> }} */ (module).command();

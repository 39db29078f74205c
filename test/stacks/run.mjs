// `npm run test:package`: the tests that need the registry. `--latest` takes the newest versions instead of the exact
// ones of versions.ts. All other arguments are passed to vitest, such as the name of a file.
import { spawnSync } from "node:child_process";
import { argv, env, execPath } from "node:process";
import { fileURLToPath } from "node:url";

const args = argv.slice(2).filter((arg) => arg !== "--latest");
const isLatest = args.length < argv.length - 2;
const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
const { status } = spawnSync(execPath, [vitest, "run", "--project", "stacks", ...args], {
  stdio: "inherit",
  env: { ...env, ...(isLatest && { LATEST_VERSIONS: "1" }) },
});
process.exitCode = status ?? 1;

import { tmpdir } from "node:os";
import type { TestContext } from "vitest";
import { run } from "../consumers/processes.js";
import { needsBinary } from "./binaries.js";
import { type Line, specOf, versionOf } from "./versions.js";

/** How to run a program in a runtime. */
export interface Runtime {
  readonly path: string;
  readonly args: readonly string[];
}

const where = "console.log(process.version + ' at ' + process.execPath)";

/** How each runtime prints where it is, and how it runs a file. */
const kinds = {
  node: { print: ["-e", where], args: [] },
  bun: { print: ["-e", where], args: [] },
  deno: { print: ["eval", `import process from "node:process"; ${where}`], args: ["run", "--allow-all"] },
};

export type RuntimeKind = keyof typeof kinds;
export type RuntimeLine = Extract<Line, `${RuntimeKind}@${string}`>;

const runtimes = new Map<RuntimeLine, Promise<Runtime>>();

/** A runtime from the registry. Skips the test if there is none for this processor. */
export async function runtimeOf(context: TestContext, line: RuntimeLine): Promise<Runtime> {
  const found = runtimes.get(line) ?? fetchRuntime(line);
  runtimes.set(line, found);
  try {
    return await found;
  } catch (error) {
    needsBinary(context, specOf(line), error);
    throw error;
  }
}

async function fetchRuntime(line: RuntimeLine): Promise<Runtime> {
  const [kind = "node"] = line.split("@") as [RuntimeKind];
  const { print, args } = kinds[kind];
  const command = ["exec", "--yes", "--prefer-offline", `--package=${specOf(line)}`, "--", kind, ...print];
  const output = await run("npm", command, { cwd: tmpdir() });
  const [, version = "", path = ""] = /^(v\S+) at (.+)$/m.exec(output) ?? [];
  const isWanted =
    kind !== "node" || versionOf(line) === "latest" || `${version}.`.startsWith(`v${versionOf(line)}.`);
  // Bun and Deno print the version of Node that they emulate.
  if (path === "" || !isWanted) throw new Error(`asked npm for ${specOf(line)}, got ${output}`);
  return { path, args };
}

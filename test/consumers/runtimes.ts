import { tmpdir } from "node:os";
import { run } from "./processes.js";

/** How to run a program there, or why it cannot be done here. */
export type Runtime =
  | { readonly path: string; readonly args: readonly string[] }
  | { readonly missing: string };

const where = "console.log(process.version + ' at ' + process.execPath)";

/** How each runtime prints where it is, and how it runs a file. */
const kinds = {
  node: { print: ["-e", where], args: [] },
  bun: { print: ["-e", where], args: [] },
  deno: { print: ["eval", `import process from "node:process"; ${where}`], args: ["run", "--allow-all"] },
};

export type RuntimeKind = keyof typeof kinds;

/** From npm, unless it is the one that runs this. */
export async function findRuntime(kind: RuntimeKind, version = "latest"): Promise<Runtime> {
  const { print, args } = kinds[kind];
  if (kind === "node" && isVersion(process.version, version)) return { path: process.execPath, args };
  const named = `${kind}@${version}`;
  const command = ["exec", "--yes", "--prefer-offline", `--package=${named}`, "--", kind, ...print];
  let output: string;
  try {
    output = await run("npm", command, { cwd: tmpdir() });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const reason = /^npm error code (\S+)$/m.exec(said)?.[1] ?? said;
    return { missing: `npm could not fetch ${named}: ${reason}` };
  }
  const [, got = "", path = ""] = /^(v\S+) at (.+)$/m.exec(output) ?? [];
  // Bun and Deno say which Node.js they are like.
  if (kind === "node" ? !isVersion(got, version) : path === "") {
    throw new Error(`asked npm for ${named}, got ${output}`);
  }
  return { path, args };
}

function isVersion(full: string, wanted: string): boolean {
  return `${full}.`.startsWith(`v${wanted}.`);
}

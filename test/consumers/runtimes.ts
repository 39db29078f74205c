import { tmpdir } from "node:os";
import { run } from "./processes.js";

/** Where a Node.js of that version is, or why there is none here. */
export type Runtime = { readonly path: string } | { readonly missing: string };

/** From npm, unless it is the one that runs this. */
export async function nodeRuntime(version: string): Promise<Runtime> {
  if (isVersion(process.version, version)) return { path: process.execPath };
  const script = "console.log(process.version + ' at ' + process.execPath)";
  const args = ["exec", "--yes", "--prefer-offline", `--package=node@${version}`, "--", "node", "-e", script];
  let output: string;
  try {
    output = await run("npm", args, { cwd: tmpdir() });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const reason = /^npm error code (\S+)$/m.exec(said)?.[1] ?? said;
    return { missing: `npm could not fetch Node.js ${version}: ${reason}` };
  }
  const [, got = "", path = ""] = /^(v\S+) at (.+)$/m.exec(output) ?? [];
  if (!isVersion(got, version)) throw new Error(`asked npm for Node.js ${version}, got ${output}`);
  return { path };
}

function isVersion(full: string, wanted: string): boolean {
  return `${full}.`.startsWith(`v${wanted}.`);
}

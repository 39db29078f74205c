import { readFileSync } from "node:fs";
import { variables } from "../options/names.js";

/**
 * Ends this process when the npx that started it ends. npx does not forward every signal: without this, a mock that was
 * started with `npx usergroup-mock &` would keep running after `kill $!`, and keep its port. Call it first of all,
 * because npx may end while the rest of the program is loaded.
 */
export function stopWithNpx(env: NodeJS.ProcessEnv): void {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = "" } = env;
  // Other npx commands pass these variables to their child processes too, but with another script.
  if (event !== "npx" || !/^["']?usergroup-mock\b/.test(script)) return;
  const parents = readParents();
  // Not below exec or explore: their command has the same variables, and may start a mock in a group of its own.
  if (env[variables.run] === undefined && haveOtherGroup(parents)) {
    stop();
    return;
  }
  const watch = setInterval(() => {
    if (String(readParents()) === String(parents)) return;
    clearInterval(watch);
    stop();
  }, 250);
  watch.unref();
}

/** As if this process had received the signal. */
function stop(): void {
  const isHandled = process.emit("SIGTERM");
  if (!isHandled) process.exit(143);
}

/** The parent, which is npx or its shell. A shell can outlive npx, so its parent counts too. Only Linux shows that. */
function readParents(): readonly number[] {
  const { ppid } = process;
  const shell = isShell(ppid) ? readStat(ppid) : undefined;
  return shell === undefined ? [ppid] : [ppid, shell.parent];
}

/**
 * Whether npx had ended before this process could see it. npx and its shell are in the process group of this process;
 * the process that adopts orphans is not. In a container it can be npx itself, so its number says nothing.
 */
function haveOtherGroup(parents: readonly number[]): boolean {
  const own = readStat(process.pid)?.group;
  const groups = parents.map((pid) => readStat(pid)?.group);
  return groups.some((group) => group !== undefined && group !== own);
}

/** Whether npx has started the process with `sh -c <script>`. */
function isShell(pid: number): boolean {
  return readProcess(pid, "cmdline").split("\0").includes("-c");
}

function readStat(pid: number): { readonly parent: number; readonly group: number } | undefined {
  // `<pid> (<name>) <state> <parent> <process group> …`, and the name may have parentheses.
  const [, parent, group] = /\) \S (\d+) (\d+) [^)]*$/.exec(readProcess(pid, "stat")) ?? [];
  return parent === undefined ? undefined : { parent: Number(parent), group: Number(group) };
}

/** Empty if the process has ended, or if this system does not show it. */
function readProcess(pid: number, file: "stat" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

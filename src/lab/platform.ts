import { spawnSync } from "node:child_process";

/**
 * How to start a command on this platform. On Windows, npm and most tools are scripts, which only cmd.exe can run.
 * @param isolated in a process group of its own, so that `killTree` ends its child processes too
 */
export function startPlan(program: string, args: readonly string[], isolated: boolean) {
  if (process.platform !== "win32") return { program, args, options: { detached: isolated } };
  const line = [program, ...args].map(quoteForCmd).join(" ");
  return {
    program: process.env.ComSpec ?? "cmd.exe",
    args: ["/d", "/s", "/c", `"${line}"`],
    // A detached process would open a window; taskkill finds the child processes without it.
    options: { windowsVerbatimArguments: true, windowsHide: true },
  };
}

/** Quotes a word for the program that reads it, then for cmd.exe, which removes one ^ before each character. */
export function quoteForCmd(word: string): string {
  const quoted = `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
  return quoted.replace(/[()[\]%!^"`<>&|;, *?]/g, "^$&");
}

/** Ends a process that `startPlan` started isolated, and its child processes. */
export function killTree(pid: number | undefined): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The process group has already exited.
  }
}

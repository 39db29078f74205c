import { readFileSync } from "node:fs";
import { bystanderBound } from "./bystander.js";

/** How long a process has computed so far, in milliseconds; undefined where the system does not tell. */
export function cpuTimeOf(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Fields 14 and 15, in hundredths of a second. The name of the program, in brackets, may hold spaces.
    const [user, system] = stat
      .replace(/^.*\) /s, "")
      .split(" ")
      .slice(11, 13);
    return (Number(user) + Number(system)) * 10;
  } catch {
    return undefined;
  }
}

/**
 * Whether a server may have kept a bystander waiting for so long. If it computed for less than that, it had no
 * processor itself: the machine is busy with something else.
 */
export function couldBlock(pid: number | undefined, before: number | undefined): boolean {
  const now = cpuTimeOf(pid);
  return now === undefined || before === undefined || now - before >= bystanderBound - 20;
}

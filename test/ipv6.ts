import { spawnSync } from "node:child_process";

const listens = 'require("node:net").createServer().listen(0, "::1", process.exit)';

/** Whether this machine has IPv6: many containers have none. */
export const hasIpv6 = spawnSync(process.execPath, ["-e", listens]).status === 0;
if (!hasIpv6) console.warn("IPv6 is not tested here: nothing can listen on ::1");

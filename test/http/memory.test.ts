import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { startCli } from "../cli-process.js";
import { exchange } from "./raw-socket.js";
import { request } from "./raw-table.js";

const isLinux = existsSync("/proc/self/status");
if (!isLinux) console.warn("The memory of a bomb is not measured here: there is no /proc");

/** The most memory that a process ever had, in bytes. */
function peakOf(pid: number | undefined): number {
  return 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

describe("a body that is small only while it is packed", () => {
  it.skipIf(!isLinux)("takes no more memory than the limit lets it", async () => {
    await using cli = startCli(["--port", "0", "--log", "silent", "--body-limit", "1mb"]);
    const url = await cli.ready;
    const send = async (unpacked: number) => {
      const body = gzipSync(Buffer.alloc(unpacked, " "));
      const [answer] = await exchange(url, [request({ more: ["Content-Encoding: gzip"], body })]);
      return answer?.status;
    };
    for (let n = 0; n < 5; n++) expect(await send(2_000_000)).toBe(413);
    const before = peakOf(cli.child.pid);
    for (let n = 0; n < 3; n++) expect(await send(200_000_000)).toBe(413);
    expect(peakOf(cli.child.pid) - before).toBeLessThan(50_000_000);
  });
});

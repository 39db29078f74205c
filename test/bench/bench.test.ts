import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { type Ended, runNode, startNode } from "../cli-process.js";
import { needsProc } from "../needs.js";
import { patience } from "../patience.js";

const bench = fileURLToPath(new URL("bench.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-benches-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Programs that a bench calls, as shell scripts. */
const fakes = {
  // Without the choice of a core.
  taskset: 'shift 2; exec "$@"',
  wrk: "sleep 100",
  npm: 'case "$1" in view) ;; *) sleep 100 ;; esac',
};

/** A temporary folder for a bench, and an environment in which it uses that and the given programs. */
function prepare(programs: Readonly<Record<string, string>>) {
  const own = mkdtempSync(join(folder, "bench-"));
  const [temporary, path] = [join(own, "tmp"), join(own, "bin")];
  for (const name of [temporary, path]) mkdirSync(name);
  for (const [name, source] of Object.entries(programs)) {
    writeFileSync(join(path, name), `#!/bin/sh\n${source}\n`);
    chmodSync(join(path, name), 0o755);
  }
  const env = { ...process.env, TMPDIR: temporary, PATH: [path, process.env.PATH].join(delimiter) };
  return { temporary, path, env };
}

/** The processes that have inherited the temporary folder of a bench. */
function processesIn(temporary: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`TMPDIR=${temporary}`);
    } catch {
      // Not a process, or it has ended.
      return false;
    }
  });
}

const expectOneLine = ({ code, stdout, stderr }: Ended, words: string) => {
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr).toContain(words);
};

describe.concurrent("the bench", () => {
  it("says in one line which programs are missing, and which parts do not need them", async () => {
    const { temporary, path, env } = prepare({ npm: "" });
    const ended = await runNode([bench], { env: { ...env, PATH: path } });
    expectOneLine(
      ended,
      "needs wrk and taskset and bash. Debian, Ubuntu: apt-get install wrk util-linux bash.",
    );
    expect(ended.stderr).toContain("npm run bench -- imports coldStart packageSize");
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("says in one line that it needs a registry", async () => {
    const { env } = prepare({ npm: "exit 1" });
    expectOneLine(await runNode([bench, "packageSize"], { env }), "needs a registry");
  });

  it("says in one line that there is no such part", async () => {
    const { env } = prepare({});
    expectOneLine(await runNode([bench, "import"], { env }), "There is no part import. Parts: imports, ");
  });

  it("ends its servers and removes its folder if a part fails", async (context) => {
    needsProc(context);
    const { temporary, env } = prepare({ ...fakes, wrk: "echo no load" });
    const { code, stderr } = await runNode([bench, "throughput"], { env });
    expect([code, readdirSync(temporary)]).toEqual([1, []]);
    expect(stderr).toContain("wrk could not put load on http://127.0.0.1:");
    expect(processesIn(temporary)).toEqual([]);
  });

  it.for(["imports", "coldStart", "throughput", "packageSize"])(
    "ends its processes and removes its folder if the part %s is interrupted",
    async (part, context) => {
      needsProc(context);
      const { temporary, env } = prepare(fakes);
      await using running = startNode([bench, part], { env });
      const own = String(running.child.pid);
      const started = () => processesIn(temporary).filter((pid) => pid !== own);
      await vi.waitFor(() => expect(started()).not.toEqual([]), patience);
      running.child.kill("SIGTERM");
      const { code } = await running.exited;
      expect([code, readdirSync(temporary)]).toEqual([128 + constants.signals.SIGTERM, []]);
      await vi.waitFor(() => expect(started()).toEqual([]), patience);
    },
  );
});

import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A program that is on some machines and not on others, and how to ask it whether it can do what we need. */
const programs = {
  curl: ["--version"],
  python3: ["--version"],
  // Says no before Java 11, and where there is no compiler to run a source file with.
  java: ["--describe-module", "jdk.compiler"],
} as const satisfies Record<string, readonly string[]>;

export type Program = keyof typeof programs;

/** Why a test that needs the program cannot run here; undefined when it can. */
export function missing(program: Program): string | undefined {
  const { error, status } = spawnSync(program, programs[program], { stdio: "ignore" });
  return error === undefined && status === 0 ? undefined : `there is no ${program} here that can be used`;
}

/** Runs it to its end and gives what it printed; rejects, with its complaints, when it fails. */
export function run(program: Program, args: readonly string[], input?: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    // A proxy of the machine has no way to our loopback address.
    const env = { ...process.env, NO_PROXY: "127.0.0.1", no_proxy: "127.0.0.1" };
    const child = execFile(program, args, { env }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
    child.stdin?.end(input);
  });
}

/** A source file that stands beside this one. */
export function source(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

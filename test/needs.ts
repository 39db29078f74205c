import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "vitest";
import { findBrowser, howToGetOne } from "./inspector/find-browser.mjs";

interface Program {
  readonly isThere: () => boolean;
  readonly howToGetIt: string;
}

function program(command: string, args: readonly string[], howToGetIt: string): Program {
  return { isThere: () => spawnSync(command, args, { stdio: "ignore" }).status === 0, howToGetIt };
}

const debian = (name: string) => `Debian, Ubuntu: apt-get install ${name}`;

/** What Debian's package junit5 installs. */
export const junit = "/usr/share/java/junit-platform-console-standalone.jar";

/** What some tests need beside Node and node_modules. */
const programs = {
  bash: program("bash", ["--version"], debian("bash")),
  browser: { isThere: () => findBrowser() !== undefined, howToGetIt: howToGetOne },
  buildah: program("buildah", ["--version"], debian("buildah")),
  curl: program("curl", ["--version"], debian("curl")),
  git: program("git", ["--version"], debian("git")),
  go: program("go", ["version"], debian("golang-go")),
  haproxy: program("haproxy", ["-v"], debian("haproxy")),
  // Fails before Java 11, and where there is no compiler to run a source file with.
  java: program("java", ["--describe-module", "jdk.compiler"], debian("default-jdk")),
  JUnit: { isThere: () => existsSync(junit), howToGetIt: debian("junit5") },
  pytest: program("python3", ["-m", "pytest", "--version"], debian("python3-pytest")),
  python3: program("python3", ["--version"], debian("python3")),
  "script of util-linux": {
    isThere: () => String(spawnSync("script", ["--version"]).stdout).includes("util-linux"),
    howToGetIt: debian("bsdutils"),
  },
  "unshare as root": program("unshare", ["--net", "--mount", "ip", "link"], `as root, ${debian("iproute2")}`),
} satisfies Record<string, Program>;

type ProgramName = keyof typeof programs;

const found = new Map<ProgramName, boolean>();

export function has(name: ProgramName): boolean {
  const isThere = found.get(name) ?? programs[name].isThere();
  found.set(name, isThere);
  return isThere;
}

/** Skips the test when a program is missing. With `REQUIRE_ALL=1`, the test fails instead. */
export function needs(context: TestContext, ...names: readonly ProgramName[]): void {
  for (const name of names) {
    if (has(name)) continue;
    const reason = `${name} is missing. ${programs[name].howToGetIt}`;
    if (process.env.REQUIRE_ALL === "1") throw new Error(`${reason} (REQUIRE_ALL is set.)`);
    context.skip(reason);
  }
}

/** Skips the test on systems without the process table of Linux. */
export function needsProc(context: TestContext): void {
  if (!existsSync(join("/proc", String(process.pid), "status"))) {
    context.skip("There is no /proc. Only Linux has it.");
  }
}

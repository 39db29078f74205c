import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "vitest";
import { findBrowser, howToGetOne } from "./inspector/find-browser.mjs";

interface Program {
  readonly isInstalled: () => boolean;
  readonly installHint: string;
}

function program(command: string, args: readonly string[], installHint: string): Program {
  return { isInstalled: () => spawnSync(command, args, { stdio: "ignore" }).status === 0, installHint };
}

const debian = (name: string) => `Debian, Ubuntu: apt-get install ${name}`;

/** A file of Debian's package junit5. */
export const junit = "/usr/share/java/junit-platform-console-standalone.jar";

/** Programs that some tests need besides Node and node_modules. */
const programs = {
  bash: program("bash", ["--version"], debian("bash")),
  browser: { isInstalled: () => findBrowser() !== undefined, installHint: howToGetOne },
  buildah: program("buildah", ["--version"], debian("buildah")),
  curl: program("curl", ["--version"], debian("curl")),
  git: program("git", ["--version"], debian("git")),
  haproxy: program("haproxy", ["-v"], debian("haproxy")),
  // Fails before Java 11, and without the compiler that runs a source file.
  java: program("java", ["--describe-module", "jdk.compiler"], debian("default-jdk")),
  JUnit: { isInstalled: () => existsSync(junit), installHint: debian("junit5") },
  pytest: program("python3", ["-m", "pytest", "--version"], debian("python3-pytest")),
  "pytest-xdist": program("python3", ["-c", "import xdist"], debian("python3-pytest-xdist")),
  ruby: program("ruby", ["-e", "require 'minitest'"], debian("ruby ruby-minitest")),
  python3: program("python3", ["--version"], debian("python3")),
  "script of util-linux": {
    isInstalled: () => String(spawnSync("script", ["--version"]).stdout).includes("util-linux"),
    installHint: debian("bsdutils"),
  },
  "unshare as root": program("unshare", ["--net", "--mount", "ip", "link"], `as root, ${debian("iproute2")}`),
} satisfies Record<string, Program>;

type ProgramName = keyof typeof programs;

const found = new Map<ProgramName, boolean>();

export function has(name: ProgramName): boolean {
  const isInstalled = found.get(name) ?? programs[name].isInstalled();
  found.set(name, isInstalled);
  return isInstalled;
}

/** Skips the test if a program is missing. With `REQUIRE_ALL=1`, the test fails instead. */
export function needs(context: TestContext, ...names: readonly ProgramName[]): void {
  for (const name of names) {
    if (has(name)) continue;
    const reason = `${name} is missing. ${programs[name].installHint}`;
    if (process.env.REQUIRE_ALL === "1") throw new Error(`${reason} (REQUIRE_ALL is set.)`);
    context.skip(reason);
  }
}

/** Skips the test on systems without /proc. */
export function needsProc(context: TestContext): void {
  if (!existsSync(join("/proc", String(process.pid), "status"))) {
    context.skip("There is no /proc on this system. Linux has it.");
  }
}

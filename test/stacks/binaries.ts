import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "vitest";

/** Whether the name of a package is that of a binary for this machine: npm reports only the name of a missing package. */
function isForThisMachine(name: string): boolean {
  const system = process.platform === "win32" ? /win32|windows/ : new RegExp(process.platform);
  const architecture = process.arch === "arm64" ? /arm64|aarch64/ : new RegExp(process.arch);
  return system.test(name) && architecture.test(name);
}

function skip(context: TestContext, what: string): never {
  return context.skip(`${what} has no binary for ${process.platform} ${process.arch} in the registry.`);
}

/** Skips the test if npm failed because a binary for this machine is missing. */
export function needsBinary(context: TestContext, spec: string, error: unknown): void {
  const named = String(error).match(/(?<![\w/])@?[a-z][\w./-]*/g) ?? [];
  if (named.some(isForThisMachine)) skip(context, spec);
}

/** Skips the test if npm installed a package without its binary for this machine, which is not an error for npm. */
export function needsBinaries(context: TestContext, folder: string): void {
  const modules = join(folder, "node_modules");
  for (const name of packagesIn(modules)) {
    const manifest: { version: string; optionalDependencies?: Readonly<Record<string, string>> } = JSON.parse(
      readFileSync(join(modules, name, "package.json"), "utf8"),
    );
    const binaries = Object.keys(manifest.optionalDependencies ?? {}).filter(isForThisMachine);
    const isThere = (binary: string) =>
      existsSync(join(modules, binary)) || existsSync(join(modules, name, "node_modules", binary));
    if (binaries.length > 0 && !binaries.some(isThere)) skip(context, `${name}@${manifest.version}`);
  }
}

function packagesIn(modules: string): string[] {
  return readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
    )
    .filter((name) => existsSync(join(modules, name, "package.json")));
}

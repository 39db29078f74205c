import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { defaultConfigFile } from "../options/names.js";

/**
 * The root of the project of a test file: the nearest directory above it with a package.json or a config file of its
 * framework, or else the working directory.
 */
export function rootOf(testFile = "", configs: readonly string[] = []): string {
  return upward(resolve(dirname(testFile))).find(has("package.json", ...configs)) ?? process.cwd();
}

/** The config file of a project, if it has one. */
export function findConfigFile(root: string): string | undefined {
  const files = configDirectories(root).map((directory) => join(directory, defaultConfigFile));
  return files.find((file) => existsSync(file));
}

/**
 * Where a project may have its config file: its root, and the directories above it, up to the root of the repository.
 * That is the directory with `.git`, or if there is none, as in an image, the topmost directory with a package.json.
 */
export function configDirectories(root: string): readonly string[] {
  const directories = upward(root);
  const repository = directories.findIndex(has(".git"));
  const top = repository < 0 ? directories.findLastIndex(has("package.json")) : repository;
  return directories.slice(0, Math.max(top, 0) + 1);
}

/** The root of the repository of a project. */
export function repositoryOf(root: string): string {
  return configDirectories(root).at(-1) ?? root;
}

function has(...names: string[]) {
  return (directory: string) => names.some((name) => existsSync(join(directory, name)));
}

/** A directory and all above it, the nearest first. */
function upward(directory: string): string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...upward(above)];
}

/** Throws if a framework is too old, whose own errors would not say so. @param from a file or URL that loads it */
export function requireVersion(name: string, oldest: string, from: string, advice = orStartMock): void {
  const version = versionOf(name, from) ?? oldest;
  if (version.localeCompare(oldest, "en", { numeric: true }) >= 0) return;
  const message = `usergroup-mock needs ${name} ${oldest} or later, but this is ${version}. ${advice}`;
  // Without a stack trace, the error is one line.
  throw Object.assign(new Error(message), { stack: message });
}

const orStartMock = "Update it, or use startMock().";

/** Undefined if the package comes with another one. */
function versionOf(name: string, from: string): string | undefined {
  try {
    return createRequire(from)(`${name}/package.json`).version;
  } catch {
    return undefined;
  }
}

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { defaultConfigFile } from "../options/names.js";

const jestConfigs = ["js", "ts", "mjs", "cjs", "mts", "cts", "json"].map((type) => `jest.config.${type}`);

/**
 * The root of the project of a test file: the nearest directory above it with a package.json or a config file of Jest,
 * which does not pass its `rootDir` to a test. Or else the working directory.
 */
export function rootOf(testFile = ""): string {
  return upward(resolve(dirname(testFile))).find(has("package.json", ...jestConfigs)) ?? process.cwd();
}

/** The config file of a project, if it has one. */
export function findConfigFile(root: string): string | undefined {
  const files = configDirectories(root).map((directory) => join(directory, defaultConfigFile));
  return files.find((file) => existsSync(file));
}

/** Where a project may have its config file: its root, and the directories above it, up to the root of the repository. */
export function configDirectories(root: string): readonly string[] {
  const top = repositoryOf(root);
  return upward(root).filter(({ length }) => length >= top.length);
}

/**
 * The root of the repository of a project: the directory with `.git`, or if there is none, as in an image, the topmost
 * directory with a package.json.
 */
export function repositoryOf(root: string): string {
  const directories = upward(root);
  return directories.find(has(".git")) ?? directories.findLast(has("package.json")) ?? root;
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
export function requireVersion(
  name: string,
  oldest: string,
  from: string,
  advice = "Update it, or use startMock().",
): void {
  let version = oldest;
  try {
    version = createRequire(from)(`${name}/package.json`).version;
  } catch {
    // The package comes with another one.
  }
  if (version.localeCompare(oldest, "en", { numeric: true }) >= 0) return;
  const message = `usergroup-mock needs ${name} ${oldest} or later, but this is ${version}. ${advice}`;
  // Without a stack trace, the error is one line.
  throw Object.assign(new Error(message), { stack: message });
}

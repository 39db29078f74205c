import { createRequire } from "node:module";

/** The version of a package that a file or URL would load. Undefined if it comes with another package. */
export function versionOf(name: string, from: string): string | undefined {
  try {
    return createRequire(from)(`${name}/package.json`).version;
  } catch {
    return undefined;
  }
}

/** Throws if a framework is too old, whose own errors would not say so. */
export function requireVersion(name: string, oldest: string, from: string): void {
  const version = versionOf(name, from) ?? oldest;
  if (version.localeCompare(oldest, "en", { numeric: true }) >= 0) return;
  const message = `usergroup-mock needs ${name} ${oldest} or later, but this is ${version}. Update it, or use startMock().`;
  // Without a stack trace, the error is one line.
  throw Object.assign(new Error(message), { stack: message });
}

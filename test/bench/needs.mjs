// What a part of the bench needs besides Node and node_modules, checked before anything is measured.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run } from "./started.mjs";

/** @typedef {"imports" | "coldStart" | "throughput" | "packageSize"} Part */

/** @type {Record<Part, readonly string[]>} */
const programs = { imports: [], coldStart: [], throughput: ["wrk", "taskset", "bash"], packageSize: ["npm"] };

/** The packages of Debian, if their names are others. */
const packages = /** @type {Record<string, string>} */ ({ taskset: "util-linux" });

/**
 * One line about what is missing, or undefined.
 * @param {readonly Part[]} parts those that are chosen
 * @param {string} bin the built command line
 */
export async function findMissing(parts, bin) {
  if (!existsSync(bin)) return "The bench measures dist/, which is missing. Run npm run build.";
  const missing = [...new Set(parts.flatMap((part) => programs[part]))].filter((name) => !isOnPath(name));
  if (missing.length > 0) {
    const install = missing.map((name) => packages[name] ?? name).join(" ");
    const others = parts.filter((part) => !programs[part].some((name) => missing.includes(name)));
    const rest = others.length > 0 ? ` Without it: npm run bench -- ${others.join(" ")}` : "";
    return `The bench needs ${missing.join(" and ")}. Debian, Ubuntu: apt-get install ${install}.${rest}`;
  }
  if (parts.includes("throughput") && !existsSync("/proc/self/stat"))
    return "The part throughput needs /proc, which Linux has. Other parts: imports, coldStart, packageSize.";
  return parts.includes("packageSize") ? findRegistryProblem() : undefined;
}

/** @param {string} name */
function isOnPath(name) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));
}

async function findRegistryProblem() {
  try {
    await run("npm", ["view", "express", "version", "--fetch-retries=0", "--fetch-timeout=20000"]);
    return undefined;
  } catch {
    return "The part packageSize needs a registry of npm, and npm view express has failed. Check npm config get registry.";
  }
}

// Lists the packages in the bundles, with their versions and licences.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** @param {Record<string, unknown>} inputs the files in the bundles */
export function listBundledPackages(inputs) {
  const paths = Object.keys(inputs).map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const folders = [...new Set(paths.filter((path) => path !== undefined))].sort();
  const head = "usergroup-mock contains the following packages.\n";
  writeFileSync("THIRD-PARTY-NOTICES", [head, ...folders.map(readNotice)].join(`\n${"-".repeat(80)}\n\n`));
}

/** @param {string} folder */
function readNotice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file, so it must not be bundled.`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}

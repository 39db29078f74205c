// Lists the packages in the bundles, for audits: their licences, and a software bill of materials.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** @typedef {{ name: string, version: string, license: string }} Manifest */

/** @param {Record<string, unknown>} inputs the files in the bundles */
export function listBundledPackages(inputs) {
  const paths = Object.keys(inputs).map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const folders = [...new Set(paths.filter((path) => path !== undefined))].sort();
  writeFileSync("sbom.cdx.json", `${JSON.stringify(makeSbom(folders.map(readManifest)), null, 2)}\n`);
  const head = "usergroup-mock contains the following packages.\n";
  writeFileSync("THIRD-PARTY-NOTICES", [head, ...folders.map(readNotice)].join(`\n${"-".repeat(80)}\n\n`));
}

/**
 * A CycloneDX document.
 * @param {Manifest[]} bundled
 */
function makeSbom(bundled) {
  const root = componentPath(readManifest("."));
  // npm may install a version in two places.
  const components = [...new Map(bundled.map(componentPath).map((one) => [one.purl, one])).values()];
  const refs = components.map(({ purl }) => purl);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: root },
    components,
    dependencies: [{ ref: root.purl, dependsOn: refs }, ...refs.map((ref) => ({ ref }))],
  };
}

/** @param {Manifest} manifest */
function componentPath({ name, version, license }) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { type: "library", "bom-ref": purl, name, version, licenses: [{ expression: license }], purl };
}

/** @param {string} folder */
function readNotice(folder) {
  const { name, version, license } = readManifest(folder);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file, so it must not be bundled.`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}

/** @param {string} folder @returns {Manifest} */
function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

// What is bundled, from the bundler's own list, in the three forms in which an audit can read it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./ensure-built.mjs";

/** @typedef {{ name: string, version: string, license: string, text: string }} Package */

/**
 * The packages in the bundles, by name and version.
 * @param {readonly import("esbuild").Metafile[]} bundles
 * @returns {Package[]}
 */
export function packagesIn(bundles) {
  const inputs = bundles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((output) => Object.entries(output.inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const folders = [...new Set(inputs.filter((folder) => folder !== undefined))];
  const packages = folders.map(readPackage);
  const byId = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]));
  return [...byId.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** @param {string} folder below the root */
function readPackage(folder) {
  const path = join(root, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined || typeof license !== "string")
    throw new Error(`${name} has no licence or no file with it, so it must not be bundled.`);
  return { name, version, license, text: readFileSync(join(path, file), "utf8").trim() };
}

/** The text of THIRD-PARTY-NOTICES. @param {readonly Package[]} packages */
export function notices(packages) {
  const head = "usergroup-mock contains the following packages.\n";
  const parts = packages.map(
    ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`,
  );
  return [head, ...parts].join(`\n${"-".repeat(80)}\n\n`);
}

/**
 * The field of package.json: name → version, or versions.
 * @param {readonly Package[]} packages
 * @returns {Record<string, string | string[]>}
 */
export function inlinedDependencies(packages) {
  const names = [...new Set(packages.map(({ name }) => name))];
  return Object.fromEntries(
    names.map((name) => {
      const versions = packages.filter((one) => one.name === name).map(({ version }) => version);
      return [name, versions.length === 1 ? /** @type {string} */ (versions[0]) : versions];
    }),
  );
}

/** The text of sbom.cdx.json: CycloneDX, the same for the same packages. @param {readonly Package[]} packages */
export function sbom(packages) {
  const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const bill = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: component(own) },
    components: packages.map(component),
    dependencies: [{ ref: packageUrl(own), dependsOn: packages.map(packageUrl) }],
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

/** @param {Omit<Package, "text">} about */
function component({ name, version, license }) {
  const purl = packageUrl({ name, version });
  const [group, ...rest] = name.split("/");
  // An expression, such as MIT OR ISC, is not the id of a licence.
  const licenses = /^[\w.+-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }];
  const names = rest.length === 0 ? { name } : { group, name: rest.join("/") };
  return { type: "library", "bom-ref": purl, ...names, version, licenses, purl };
}

/** @param {Pick<Package, "name" | "version">} about */
function packageUrl({ name, version }) {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

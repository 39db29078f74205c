// A software bill of materials: with it, an audit sees the packages that are bundled.

/**
 * @typedef {{ name: string, version: string, license: string }} Manifest
 */

/**
 * A CycloneDX document, the same for every build of the same packages.
 * @param {Manifest} root
 * @param {Manifest[]} bundled
 */
export function sbomOf(root, bundled) {
  // npm may install the same version in two places.
  const byRef = new Map(bundled.map((manifest) => [purlOf(manifest), componentOf(manifest)]));
  const [refs, components] = [[...byRef.keys()], [...byRef.values()]];
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: componentOf(root) },
    components,
    dependencies: [{ ref: purlOf(root), dependsOn: refs }, ...refs.map((ref) => ({ ref }))],
  };
}

/** @param {Manifest} manifest */
function componentOf(manifest) {
  const [, group, name] = /^(?:(@[^/]+)\/)?(.+)$/.exec(manifest.name) ?? [];
  const isExpression = /[ ()]/.test(manifest.license);
  return {
    type: "library",
    "bom-ref": purlOf(manifest),
    ...(group && { group }),
    name,
    version: manifest.version,
    licenses: isExpression ? [{ expression: manifest.license }] : [{ license: { id: manifest.license } }],
    purl: purlOf(manifest),
  };
}

/** @param {Manifest} manifest */
function purlOf({ name, version }) {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

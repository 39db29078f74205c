import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { inlinedDependencies, notices, packagesIn, sbom } from "../../src/build/bundled-packages.mjs";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** The packages in a bundle of all entries, without the plugins and the splitting of the build: name and version. */
async function packagesOfBundler(): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["src/index.ts", "src/bin.ts", "src/frameworks/*.ts", "src/inspector/main.tsx"],
    external: ["vitest", "@playwright/test", "@jest/globals"],
    outdir: "unused",
    bundle: true,
    platform: "node",
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    metafile: true,
    write: false,
    logLevel: "error",
  });
  const files = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const ids = [...new Set(folders)].map((folder) => {
    const { name, version } = JSON.parse(read(join(folder, "package.json")));
    return `${name} ${version}`;
  });
  return [...new Set(ids)].sort();
}

describe("the packages in the bundle are those of", async () => {
  const bundled = await packagesOfBundler();

  it("inlinedDependencies in package.json", () => {
    expect(bundled.join("\n")).toMatch(/^express 5\./m);
    const inlined: Readonly<Record<string, string | string[]>> = JSON.parse(
      read("package.json"),
    ).inlinedDependencies;
    const ids = Object.entries(inlined).flatMap(([name, versions]) =>
      [versions].flat().map((version) => `${name} ${version}`),
    );
    expect(ids.sort()).toEqual(bundled);
  });

  it("sbom.cdx.json", () => {
    const { bomFormat, components, dependencies } = JSON.parse(read("sbom.cdx.json"));
    expect(bomFormat).toBe("CycloneDX");
    const urls = components.map(({ purl }: { purl: string }) => purl);
    const ids = urls.map((purl: string) => decodeURIComponent(purl).replace(/^pkg:npm\/(.+)@/, "$1 "));
    expect(ids.sort()).toEqual(bundled);
    expect(dependencies[0].dependsOn).toEqual(urls);
  });

  it("THIRD-PARTY-NOTICES, each with its licence", () => {
    const [, ...parts] = read("THIRD-PARTY-NOTICES").split(`\n${"-".repeat(80)}\n\n`);
    expect(parts.map((part) => part.replace(/ \(.*/s, "")).sort()).toEqual(bundled);
    for (const part of parts) expect(part).toMatch(/^.+ \(.+\)\n\n[\s\S]*(copyright|permission)/i);
  });
});

describe("the list of what is bundled", () => {
  const express = { name: "a", license: "MIT", text: "Copyright" };
  const packages = [
    { ...express, version: "1.0.0" },
    { ...express, version: "2.0.0" },
    { name: "@s/b", version: "1.0.0", license: "MIT OR ISC", text: "Copyright" },
  ];

  it("has every version of a package, scopes and expressions of licences", () => {
    expect(inlinedDependencies(packages)).toEqual({ a: ["1.0.0", "2.0.0"], "@s/b": "1.0.0" });
    expect(JSON.parse(sbom(packages)).components[2]).toEqual({
      type: "library",
      "bom-ref": "pkg:npm/%40s/b@1.0.0",
      group: "@s",
      name: "b",
      version: "1.0.0",
      licenses: [{ expression: "MIT OR ISC" }],
      purl: "pkg:npm/%40s/b@1.0.0",
    });
    expect(notices(packages)).toContain("\n\n@s/b 1.0.0 (MIT OR ISC)\n\nCopyright\n");
  });

  it("leaves out a package of which nothing is in the bundle", () => {
    const inputs = { "node_modules/express/index.js": { bytesInOutput: 0 } };
    const output = { inputs, imports: [], exports: [], bytes: 0 };
    expect(packagesIn([{ inputs: {}, outputs: { "out.js": output } }])).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PackageInUse, pack } from "./package-in-use.js";
import { run } from "./processes.js";
import { findRuntime, type Runtime, type RuntimeKind } from "./runtimes.js";

const wanted: readonly { readonly kind: RuntimeKind; readonly version?: string }[] = [
  { kind: "node", version: process.versions.node },
  { kind: "bun" },
  { kind: "deno" },
];

let inUse: PackageInUse;
let project: string;
beforeAll(async () => {
  inUse = await pack();
  project = await inUse.install("runtimes");
});
afterAll(() => inUse?.remove());

describe.each(wanted)("on $kind $version", ({ kind, version }) => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await findRuntime(kind, version);
    if ("missing" in runtime) console.warn(runtime.missing);
  });

  it("starts and stops as it should, and the program ends by itself", async ({ skip }) => {
    if ("missing" in runtime) return skip(runtime.missing);
    const output = await run(runtime.path, [...runtime.args, "lifecycle.mjs"], { cwd: project });
    const lines = output.split("\n").filter((line) => line.startsWith("{"));
    const rows: { row: string; differs?: string; failure?: string }[] = lines.map((line) => JSON.parse(line));
    expect(rows.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect(rows.length).toBeGreaterThan(10);
    const differ = rows.filter(({ differs }) => differs !== undefined);
    if (kind === "node") expect(differ).toEqual([]);
  });
});

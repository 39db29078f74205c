import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { secret } from "../http/raw-table.js";
import { type PackageInUse, pack, repository } from "./package-in-use.js";
import { run, start } from "./processes.js";
import { findRuntime, type Runtime, type RuntimeKind } from "./runtimes.js";

interface Wanted {
  readonly kind: RuntimeKind;
  readonly version?: string;
  /** Whether the raw tables are part of `npm test` there; they take five seconds. */
  readonly raw?: boolean;
}

const thisNode: Wanted = { kind: "node", version: process.versions.node, raw: true };
const nodes = ["20", "22", "24", "26"].map((version): Wanted => ({ kind: "node", version, raw: true }));
const all = process.env.RUNTIMES === "all";
const wanted: readonly Wanted[] = [
  ...(all ? nodes : [thisNode]),
  { kind: "bun", raw: all },
  { kind: "deno", raw: all },
];

/** How many rows hold as everywhere, and which differ, for the table at the end. */
const results: Record<string, Record<string, number>> = {};
const differing: string[] = [];

let inUse: PackageInUse;
let project: string;
beforeAll(async () => {
  inUse = await pack();
  project = await inUse.install("runtimes");
});
afterAll(async () => {
  await inUse?.remove();
  if (!all) return;
  console.table(results);
  console.log(differing.join("\n"));
});

function report(runtime: string, table: string, held: number, differ: readonly string[]): void {
  results[runtime] = { ...results[runtime], [table]: held, [`${table}, differing`]: differ.length };
  differing.push(...differ.map((row) => `${runtime}: ${row}`));
}

describe.each(wanted)("on $kind $version", ({ kind, version, raw }) => {
  const name = [kind, version].filter(Boolean).join(" ");
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
    report(
      name,
      "lifecycle",
      rows.length - differ.length,
      differ.map(({ row, differs }) => `${row} (differs: ${differs})`),
    );
  });

  it.runIf(raw)("answers every row of the raw tables", async ({ skip }) => {
    if ("missing" in runtime) return skip(runtime.missing);
    await using server = start(runtime.path, [...runtime.args, "serve.mjs"], { cwd: project });
    const url = await server.printed(/^usergroup-mock listening on (\S+)$/m);
    const file = join(project, `raw-${name}.json`);
    // All files use the one server, so one after the other.
    const flags = ["--project", "quick", "--no-file-parallelism", "--reporter=json", `--outputFile=${file}`];
    await run(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "test/http/raw", ...flags], {
      cwd: repository,
      env: { RAW_ROWS_MOCK: JSON.stringify({ runtime: kind, url }) },
    });
    expect(server.output()).toContain('"path":"/api/user"');
    expect(server.output()).not.toMatch(secret);
    const { testResults }: { testResults: { assertionResults: { fullName: string; status: string }[] }[] } =
      JSON.parse(await readFile(file, "utf8"));
    const rows = testResults.flatMap(({ assertionResults }) => assertionResults);
    expect(rows.filter(({ status }) => status !== "passed")).toEqual([]);
    expect(rows.length).toBeGreaterThan(200);
    const differ = rows.map(({ fullName }) => fullName).filter((row) => row.includes("(differs: "));
    report(name, "raw", rows.length - differ.length, differ);
  });
});

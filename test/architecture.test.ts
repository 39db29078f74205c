import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const src = fileURLToPath(new URL("../src", import.meta.url));

/** Each room, and the rooms that its files may import from besides their own. */
const below: Readonly<Record<string, readonly string[]>> = {
  "": ["", "cli", "mock", "contract", "service", "foundation"],
  cli: ["conformance", "mock", "http", "world", "service", "contract", "foundation"],
  conformance: ["service", "contract", "foundation"],
  mock: ["http", "world", "service", "contract", "foundation"],
  http: ["world", "service", "contract", "foundation"],
  world: ["service", "contract", "foundation"],
  service: ["contract", "foundation"],
  contract: ["foundation"],
  foundation: [],
  inspector: ["contract"],
};

/** What only some rooms may know. */
const owners: Readonly<Record<string, readonly string[]>> = {
  express: ["http"],
  "ajv/dist/2020.js": ["contract"],
  yargs: ["cli"],
  "node:fs": ["foundation", "contract", "http", "mock", "cli"],
  "node:http": ["http", "mock", "conformance"],
};

const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
const roomOf = (file: string) => (dirname(file) === "." ? "" : (dirname(file).split("/")[0] ?? ""));
const codeOf = (file: string) => readFileSync(join(src, file), "utf8").replace(/^\s*(\/\*\*|\*).*$/gm, "");
const importsOf = (file: string) =>
  [...codeOf(file).matchAll(/(?:^(?:import|export)[^;]*?from |\bimport\()"([^"]+)"/gms)].map(
    ([, from = ""]) => from,
  );

describe("the architecture", () => {
  it.each(files)("%s imports only from rooms below its own", (file) => {
    const room = roomOf(file);
    for (const from of importsOf(file)) {
      if (!from.startsWith(".") || from.endsWith(".json")) continue;
      const target = roomOf(relative(src, join(src, dirname(file), from)));
      if (target !== room) expect(below[room], `${file} imports ${from}`).toContain(target);
    }
  });

  it.each(Object.entries(owners))("%s is known only where it should be", (name, rooms) => {
    const knowing = files.filter((file) => importsOf(file).includes(name)).map(roomOf);
    expect(knowing.length).toBeGreaterThan(0);
    expect(new Set(knowing)).toEqual(new Set(knowing.filter((room) => rooms.includes(room))));
  });

  it("knows of the inspector, which runs in browsers, that it takes only types from elsewhere", () => {
    const taken = files
      .filter((file) => roomOf(file) === "inspector")
      .flatMap((file) => [...codeOf(file).matchAll(/^import[^;]*? from "\.\.\/[^"]+"/gms)])
      .map(([line]) => line);
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.filter((line) => !line.startsWith("import type"))).toEqual([]);
  });

  it("prints and reads the process only in its upper rooms", () => {
    const knowing = files.filter((file) =>
      /\bprocess\.(stdout|stderr|argv|env|exit)\b|console\./.test(codeOf(file)),
    );
    expect(new Set(knowing.map(roomOf))).toEqual(new Set(["", "cli", "mock"]));
  });
});

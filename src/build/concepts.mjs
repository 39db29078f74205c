// `node src/build/concepts.mjs` prints how many things a user can learn, counted from the tables.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./ensure-built.mjs";
import { loadSource } from "./load-source.mjs";

const { adminCallIds } = await loadSource("fake/contract/admin-calls.ts");
const { assumptionIds } = await loadSource("fake/contract/assumptions.ts");
const { failures } = await loadSource("fake/contract/failures.ts");
const { kindNames } = await loadSource("fake/contract/fault-kinds.ts");
const { placeholders } = await loadSource("fake/contract/profile.ts");
const { commands } = await loadSource("cli/commands.ts");
const { optionNames } = await loadSource("options/option-table.ts");
const { makeWorld } = await loadSource("client/make-world.ts");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** @type {string[]} */
const ownFlags = Object.values(commands).flatMap(({ flags }) => Object.keys(flags));
const noServer = { url: "", apiToken: () => "", report: () => {}, client: () => () => {} };
const methods = Object.values(makeWorld(noServer, "default")).filter((value) => typeof value === "function");

const counts = {
  // yargs adds completion.
  commands: Object.keys(commands).length + 1,
  "options of a server": optionNames.length,
  "flags of all commands": new Set([...optionNames, ...ownFlags]).size,
  "admin calls": adminCallIds.length,
  assumptions: assumptionIds.length,
  "failure codes": Object.keys(failures).length,
  "placeholders of a profile": Object.keys(placeholders).length,
  "fault kinds": kindNames.length,
  "exports of the package": Object.keys(exports).filter((name) => !name.endsWith(".json")).length,
  "methods of World": methods.length,
};
for (const [name, count] of Object.entries(counts)) console.log(`${String(count).padStart(4)}  ${name}`);

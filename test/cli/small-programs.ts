import { fileURLToPath, pathToFileURL } from "node:url";
import { bin } from "../cli-process.js";

const node = process.execPath;
const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const customers = fileOf("test/consumers/projects/customers.cjs");
const commonJs = fileOf("dist/cjs/index.js");
const esm = pathToFileURL(fileOf("dist/esm/index.js")).href;

/** The arguments of `node` for a program of this source, which has three clients, `create` and `url`. */
export function program(work: string): string[] {
  return ["-e", sourceOf(work)];
}

function sourceOf(work: string): string {
  return `
    const { hasty, patient, sturdy } = require(${JSON.stringify(customers)});
    // On demand: most programs need none.
    const startMock = (options) => require(${JSON.stringify(commonJs)}).startMock(options);
    const { USERGROUP_MOCK_URL: url } = process.env;
    const apiToken = "test-api-token";
    const create = async (baseUrl, id = "acme") => {
      const { status, json } = await hasty(baseUrl, apiToken).call("GET", { user_group_id: id, name: id });
      if (status !== 200 || json.success !== 1) throw new Error("no group: " + status);
      return json.user_group;
    };
    const main = async () => { ${work} };
    main().catch((error) => { console.error(error); process.exit(1); });`;
}

/** The arguments of `exec` and `explore` that run such a program. */
export const command = (work: string) => ["--", node, ...program(work)];

const inMock = "const mock = await startMock(); await create(mock.url); await mock.stop();";
const spawnNode = (args: string) =>
  `require("node:child_process").execFileSync(process.execPath, ${args}, { stdio: "inherit" });`;
const nested = JSON.stringify([bin, "exec", "--", node, ...program("await create(url);")]);

/** Programs that create a group, on a mock in some place below the command. */
export const places: readonly (readonly [place: string, work: string])[] = [
  ["the server around the command", "await create(url);"],
  ["startMock in CommonJS", inMock],
  [
    "startMock in an ES module",
    `const mock = await (await import(${JSON.stringify(esm)})).startMock(); await create(mock.url); await mock.stop();`,
  ],
  [
    "startMock in a worker thread",
    `const { Worker } = require("node:worker_threads");
     const worker = new Worker(${JSON.stringify(sourceOf(inMock))}, { eval: true });
     worker.on("exit", (code) => { process.exitCode = code; });`,
  ],
  ["startMock in a child process", spawnNode(JSON.stringify(program(inMock)))],
  [
    "the command line in a child process",
    `const server = require("node:child_process").spawn(process.execPath, [${JSON.stringify(bin)}, "--port", "0"]);
     process.on("exit", () => server.kill());
     let printed = "";
     const listening = new Promise((resolve) => server.stdout.on("data", (part) => {
       const [, found] = /listening on (\\S+)\\n/.exec(printed += part) ?? [];
       if (found !== undefined) resolve(found);
     }));
     await create(await listening);
     process.exit();`,
  ],
  ["exec within the command", spawnNode(nested)],
  [
    "exec within exec within the command",
    spawnNode(JSON.stringify([bin, "exec", "--", node, ...program(spawnNode(nested))])),
  ],
];

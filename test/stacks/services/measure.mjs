// How faithfully does a mock with a profile from `verify` behave like a service that was not written for it? See README.md.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { argv, env, stderr } from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureBuilt } from "../../../src/build/ensure-built.mjs";
import { countOf, describeDifferences, play } from "./compare.mjs";
import { learn, startMock } from "./learn.mjs";
import { checkMechanism, leaveOut } from "./leave-out.mjs";
import { oddValues } from "./odd-values.mjs";
import { randomBodies } from "./random-bodies.mjs";
import { script } from "./script.mjs";
import { findServices, prepare, startService } from "./services.mjs";
import { teams } from "./steps.mjs";
import { walk } from "./walk.mjs";

/** @typedef {import("./services.mjs").Service} Service */
/** @typedef {import("./compare.mjs").Compared} Compared */

/**
 * @typedef {object} Options
 * @property {string} seed
 * @property {string | undefined} [profile] a file, or a folder that `keep` has written, instead of verify; `none`: no profile
 * @property {string | undefined} [leaveOut]
 * @property {string | undefined} [keep] a folder for the learned profiles
 */

/**
 * @typedef {object} Measured
 * @property {string} name
 * @property {Awaited<ReturnType<typeof learn>> | undefined} learned
 * @property {Record<"script" | "walk" | "odd" | "random", Compared[]>} parts
 */

/**
 * @param {Service} service that is prepared
 * @param {Options} options
 * @returns {Promise<Measured>}
 */
export async function measure(service, options) {
  const folder = mkdtempSync(join(tmpdir(), "measure-"));
  try {
    const listed = teams.map(({ team_id, api_token }) => ({ team_id, api_tokens: [api_token] }));
    writeFileSync(join(folder, "teams.json"), JSON.stringify({ teams: listed }));
    const { learned, profiles } = await getProfile(service, options, folder);
    const mock = await startMock(folder, profiles);
    try {
      const seed = `${options.seed} ${service.name}`;
      const parts = {
        script: await playFresh(service, mock.url, script),
        walk: await playFresh(service, mock.url, walk(seed)),
        odd: await playFresh(service, mock.url, oddValues()),
        random: await playFresh(service, mock.url, randomBodies(seed)),
      };
      if (parts.odd[0]?.isAccepted !== true)
        throw new Error("it rejects a plain group, so odd values say nothing");
      return { name: service.name, learned, parts };
    } finally {
      await mock.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {Service} service
 * @param {Options} options
 * @param {string} folder
 */
async function getProfile(service, options, folder) {
  if (options.profile === "none") return { learned: undefined, profiles: [] };
  const file = join(folder, "profile.json");
  let learned;
  if (options.profile === undefined) {
    learned = await learn(service, folder);
    if (!existsSync(file)) throw new Error(`verify wrote no profile: ${learned.first.output.slice(-1000)}`);
  } else {
    const isFolder = statSync(options.profile).isDirectory();
    copyFileSync(isFolder ? join(options.profile, `${service.name}.json`) : options.profile, file);
  }
  const profile = JSON.parse(readFileSync(file, "utf8"));
  if (options.keep !== undefined) {
    mkdirSync(options.keep, { recursive: true });
    copyFileSync(file, join(options.keep, `${service.name}.json`));
  }
  if (options.leaveOut !== undefined)
    writeFileSync(file, JSON.stringify(leaveOut(profile, options.leaveOut)));
  return { learned, profiles: [file] };
}

/**
 * Sends the same steps to the mock and to a new instance of the service.
 * @param {Service} service
 * @param {string} mockUrl
 * @param {readonly import("./steps.mjs").Step[]} steps
 */
async function playFresh(service, mockUrl, steps) {
  await fetch(`${mockUrl}/__admin/reset`, { method: "POST" });
  const fresh = await startService(service);
  try {
    return await play(steps, fresh.url, mockUrl, teams);
  } finally {
    await fresh.stop();
  }
}

const columns = [
  "service",
  "script",
  "body",
  "headers",
  "walk",
  "body",
  "headers",
  "false accepts in both",
  "accepted",
  "odd: false accepts",
  "false rejects",
  "of",
  "accepted",
  "random: same status",
  "requests",
  "groups",
  "nightly: requests",
  "groups",
  "seconds",
  "exit code",
  "nightly: restarted, again",
];

/** @param {Pick<Measured, "name" | "parts">} measured */
function figuresOf({ name, parts }) {
  const percent = (/** @type {number} */ part, /** @type {number} */ of) => ((100 * part) / of).toFixed(1);
  const shares = [parts.script, parts.walk].flatMap((part) => {
    const { shape, body, headers, of } = countOf(part);
    return [percent(shape, of), percent(body, of), percent(headers, of)];
  });
  const ordinary = countOf([...parts.script, ...parts.walk]);
  const odd = countOf(parts.odd);
  const random = countOf(parts.random);
  const oddFigures = [odd.falseAccepts, odd.falseRejects, odd.of, odd.accepted];
  const isAccepted = percent(ordinary.accepted, ordinary.of);
  return [
    name,
    ...shares,
    ordinary.falseAccepts,
    isAccepted,
    ...oddFigures,
    percent(random.status, random.of),
  ];
}

/** @param {Measured} measured */
function rowOf(measured) {
  const { learned } = measured;
  if (learned === undefined) return [...figuresOf(measured), "-", "-", "-", "-", "-", "-", "-"];
  const { first, restarted, again } = learned;
  const costs = [
    first.requests,
    first.groups,
    restarted.requests,
    restarted.groups,
    first.seconds.toFixed(1),
  ];
  return [...figuresOf(measured), ...costs, first.exitCode, `${restarted.exitCode}, ${again.exitCode}`];
}

/** @param {readonly Measured[]} all */
export function table(all) {
  const together = (/** @type {keyof Measured["parts"]} */ part) => all.flatMap(({ parts }) => parts[part]);
  const parts = {
    script: together("script"),
    walk: together("walk"),
    odd: together("odd"),
    random: together("random"),
  };
  const total = [...figuresOf({ name: "all", parts }), "", "", "", "", "", "", ""];
  const lines = [
    columns,
    columns.map((_, index) => (index === 0 ? "---" : "---:")),
    ...all.map(rowOf),
    total,
  ];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** @param {Measured} measured */
function describe({ name, learned, parts }) {
  const runs = Object.entries(learned ?? {}).map(
    ([run, { output }]) => `verify of ${name}, ${run} run:\n${output}`,
  );
  const differences = Object.entries(parts).flatMap(([part, all]) =>
    part === "random" ? [] : describeDifferences(all).map((text) => `${name}, ${part}: ${text}`),
  );
  return [...runs, ...differences].join("\n");
}

/** @param {readonly string[]} args */
async function main(args) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      folder: { type: "string" },
      seed: { type: "string", default: "1" },
      "leave-out": { type: "string" },
      profile: { type: "string" },
      keep: { type: "string" },
      install: { type: "boolean", default: false },
      verbose: { type: "boolean", short: "v", default: false },
    },
  });
  const services = findServices(values.folder === undefined ? undefined : resolve(values.folder));
  const unknown = positionals.filter((name) => services.every((one) => one.name !== name));
  if (unknown.length > 0) {
    throw new Error(`No service ${unknown}. There are ${services.map(({ name }) => name).join(", ")}.`);
  }
  const left = values["leave-out"];
  if (left !== undefined) checkMechanism(left);
  ensureBuilt();
  const { seed, profile, keep } = values;
  /** @type {Measured[]} */
  const measured = [];
  for (const service of services) {
    if (positionals.length > 0 && !positionals.includes(service.name)) continue;
    stderr.write(`${service.name}\n`);
    const missing = await prepare(service, { install: values.install });
    if (missing !== undefined) {
      console.log(`${service.name} is skipped: ${missing}`);
      if (env.REQUIRE_ALL === "1") process.exitCode = 1;
      continue;
    }
    try {
      measured.push(await measure(service, { seed, profile, keep, leaveOut: left }));
    } catch (error) {
      console.log(`${service.name} could not be measured: ${error}`);
      process.exitCode = 1;
    }
  }
  if (values.verbose) for (const one of measured) console.log(describe(one));
  if (measured.length > 0) console.log(table(measured));
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  await main(argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exitCode = 2;
  });
}

// How faithfully does a mock with a profile from `verify` behave like a service that was not written for it?
//   node test/stacks/services/measure.mjs [--install] [--differences] [--seed 1] [--repeats 2] [--json out.json] [service …]
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, execPath, stderr } from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureBuilt, root } from "../../../src/build/ensure-built.mjs";
import { play } from "./play.mjs";
import { script } from "./script.mjs";
import { findPort, services, startProgram, startService, teams, whyMissing } from "./services.mjs";
import { walk } from "./walk.mjs";

/** @typedef {import("./services.mjs").Service} Service */
/** @typedef {import("./play.mjs").Played} Played */
/** @typedef {{ same: number, exact: number, of: number }} Own how verify judges its own profile */
/** @typedef {{ title: string, kind: "correct" | "mistake", same: boolean, exact: boolean }} Further */

/**
 * @typedef {object} Figures
 * @property {number} of
 * @property {number} falsePasses the mock accepted what the service rejected
 * @property {number} falseFailures the mock rejected what the service accepted
 * @property {number} alike same status and shape
 * @property {number} exact and the same body
 * @property {number} sameHeaders
 */

/**
 * @typedef {object} Measured
 * @property {string} name
 * @property {{ exitCode: number, seconds: number, requests: number, groups: number, replay?: Own,
 *   further?: Own & { requests: readonly Further[] }, profile: unknown }} verify
 * @property {readonly number[]} expect exit codes of `verify --expect`
 * @property {readonly Further[]} further the further requests of all runs of verify
 * @property {{ all: Figures, correct: Figures, mistake: Figures, script: Figures, walk: Figures }} figures
 * @property {readonly (Played & { part: "script" | "walk" })[]} played
 */

const cli = join(root, "bin/usergroup-mock.cjs");
const [firstTeam, secondTeam] = teams.map(({ api_token }) => api_token);

/**
 * @param {Service} service
 * @param {{ seed: number, repeats?: number }} options `repeats`: how often `verify --expect` runs
 * @returns {Promise<Measured>}
 */
export async function measure(service, { seed, repeats = 2 }) {
  const folder = mkdtempSync(join(tmpdir(), "measure-"));
  try {
    const learned = await learn(service, folder, repeats);
    const mock = await startMock(folder);
    /** @type {Measured["played"][number][]} */
    const played = [];
    try {
      for (const [part, steps] of /** @type {const} */ ([
        ["script", script],
        ["walk", walk(seed)],
      ])) {
        await fetch(`${mock.url}/__admin/reset`, { method: "POST" });
        const fresh = await startService(service);
        try {
          const all = await play(steps, { service: fresh.url, mock: mock.url });
          played.push(...all.map((one) => ({ part, ...one })));
        } finally {
          await fresh.stop();
        }
      }
    } finally {
      await mock.stop();
    }
    const figures = {
      all: count(played),
      correct: count(played.filter(({ kind }) => kind === "correct")),
      mistake: count(played.filter(({ kind }) => kind === "mistake")),
      script: count(played.filter(({ part }) => part === "script")),
      walk: count(played.filter(({ part }) => part === "walk")),
    };
    return { name: service.name, ...learned, figures, played };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {Service} service
 * @param {string} folder
 * @param {number} repeats
 * @returns {Promise<Pick<Measured, "verify" | "expect" | "further">>}
 */
async function learn(service, folder, repeats) {
  const running = await startService(service);
  const proxy = await startCounter(running.url);
  try {
    const started = performance.now();
    const first = await runVerify(proxy.url, ["--out", "profile.json"], folder);
    const seconds = (performance.now() - started) / 1000;
    if (first.output === "") throw new Error(`verify learned nothing: ${first.errors}`);
    const { replay, further, profile } = JSON.parse(first.output);
    const { requests, groups } = proxy;
    const exitCodes = [];
    const all = [...(further?.requests ?? [])];
    for (let run = 0; run < repeats; run += 1) {
      const { exitCode, output } = await runVerify(proxy.url, ["--expect", "profile.json"], folder);
      exitCodes.push(exitCode);
      if (output !== "") all.push(...(JSON.parse(output).further?.requests ?? []));
    }
    return {
      verify: { exitCode: first.exitCode, seconds, requests, groups, replay, further, profile },
      expect: exitCodes,
      further: all,
    };
  } finally {
    await proxy.stop();
    await running.stop();
  }
}

/**
 * @param {string} url
 * @param {readonly string[]} flags
 * @param {string} cwd
 * @returns {Promise<{ exitCode: number, output: string, errors: string }>} without output if it could not start
 */
function runVerify(url, flags, cwd) {
  const tokens = ["--api-token", String(firstTeam), "--second-api-token", String(secondTeam)];
  const args = [cli, "verify", "--against", url, ...tokens, "--yes", "--json", ...flags];
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      errors = `${errors}${text}`.slice(-4000);
    });
    child.once("error", reject);
    child.once("close", (exitCode) => {
      resolve({ exitCode: exitCode ?? 1, output, errors });
    });
  });
}

/** A mock with the profile and the teams of the service, and no groups. */
async function startMock(/** @type {string} */ folder) {
  const listed = teams.map(({ team_id, api_token }) => ({ team_id, api_tokens: [api_token] }));
  writeFileSync(join(folder, "teams.json"), JSON.stringify({ teams: listed }));
  const port = await findPort();
  const flags = ["--port", String(port), "--log", "silent"];
  const files = ["--profile", "profile.json", "--fixtures", "teams.json"];
  return startProgram([execPath, cli, ...flags, ...files], { port, cwd: folder });
}

/**
 * A proxy that counts what verify costs the service.
 * @param {string} url
 */
async function startCounter(url) {
  const counted = { requests: 0, groups: 0 };
  const server = createServer((incoming, outgoing) => {
    counted.requests += 1;
    const options = { method: incoming.method, headers: incoming.headers, agent: false };
    const forwarded = httpRequest(`${url}${incoming.url}`, options, (response) => {
      /** @type {Buffer[]} */
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.once("end", () => {
        const body = Buffer.concat(parts);
        if (/"new_user_group":\s*true/.test(body.toString())) counted.groups += 1;
        const { "transfer-encoding": _, connection: __, ...headers } = response.headers;
        outgoing.writeHead(response.statusCode ?? 502, headers).end(body);
      });
    });
    forwarded.once("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  const port = await findPort();
  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(undefined)));
  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return counted.requests;
    },
    get groups() {
      return counted.groups;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve(undefined)));
    },
  };
}

/**
 * @param {readonly Played[]} played
 * @returns {Figures}
 */
function count(played) {
  const number = (/** @type {(one: Played) => boolean} */ holds) => played.filter(holds).length;
  return {
    of: played.length,
    falsePasses: number(({ mockIs }) => mockIs === "lenient"),
    falseFailures: number(({ mockIs }) => mockIs === "strict"),
    alike: number(isAlike),
    exact: number((one) => isAlike(one) && one.sameBody),
    sameHeaders: number(({ sameHeaders }) => sameHeaders),
  };
}

/** @param {Played} one */
function isAlike({ sameStatus, sameShape, mockIs }) {
  return sameStatus && sameShape && mockIs === "same";
}

/** @param {readonly Figures[]} list */
function sum(list) {
  const add = (/** @type {keyof Figures} */ key) => list.reduce((total, one) => total + one[key], 0);
  return {
    of: add("of"),
    falsePasses: add("falsePasses"),
    falseFailures: add("falseFailures"),
    alike: add("alike"),
    exact: add("exact"),
    sameHeaders: add("sameHeaders"),
  };
}

/**
 * @param {number} part
 * @param {number} whole
 */
const percent = (part, whole) => (whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)}`);

const columns = [
  "service",
  "false passes",
  "false failures",
  "correct differ",
  "correct %",
  "body %",
  "mistakes %",
  "body %",
  "script %",
  "body %",
  "walk %",
  "body %",
  "verify says",
  "requests",
  "groups",
  "seconds",
  "exit",
  "--expect",
];

/**
 * @param {string} name
 * @param {Measured["figures"]} figures
 */
function figuresOf(name, { all, correct, mistake, script, walk }) {
  const rates = [correct, mistake, script, walk].flatMap((one) => [
    percent(one.alike, one.of),
    percent(one.exact, one.of),
  ]);
  const differ = `${correct.of - correct.alike} of ${correct.of}`;
  return [name, String(all.falsePasses), String(all.falseFailures), differ, ...rates];
}

/** @param {Measured} measured */
function row({ name, figures, verify, expect }) {
  const own = [verify.further, verify.replay]
    .filter((one) => one !== undefined)
    .map(({ same, exact, of }) => `${same}/${of} (${exact})`);
  const { requests, groups, seconds, exitCode } = verify;
  const costs = [String(requests), String(groups), seconds.toFixed(1), String(exitCode), expect.join(" ")];
  return [...figuresOf(name, figures), own.join(" ") || "-", ...costs];
}

/** @param {readonly Measured[]} measured */
function totalRow(measured) {
  /** @param {keyof Measured["figures"]} part */
  const total = (part) => sum(measured.map(({ figures }) => figures[part]));
  const figures = {
    all: total("all"),
    correct: total("correct"),
    mistake: total("mistake"),
    script: total("script"),
    walk: total("walk"),
  };
  return { figures, cells: figuresOf("all", figures) };
}

/** @param {readonly (readonly string[])[]} rows */
function table(rows) {
  const widths = columns.map((_, index) => Math.max(...rows.map((cells) => cells[index]?.length ?? 0)));
  return rows
    .map((cells) =>
      cells
        .map((cell, index) =>
          index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
        )
        .join("  "),
    )
    .join("\n");
}

/**
 * The 95 % interval of a rate (Wilson).
 * @param {{ same: number, of: number }} counted
 */
function intervalOf({ same, of }) {
  const z = 1.96;
  const rate = same / of;
  const middle = (rate + z ** 2 / (2 * of)) / (1 + z ** 2 / of);
  const half = (z / (1 + z ** 2 / of)) * Math.sqrt((rate * (1 - rate)) / of + z ** 2 / (4 * of ** 2));
  return { rate, low: middle - half, high: middle + half };
}

/**
 * Whether the further requests of verify say what the walks say, over all services together.
 * @param {readonly Measured[]} measured
 */
function compareWithFurther(measured) {
  const walked = measured.flatMap(({ played }) => played.filter(({ part }) => part === "walk"));
  const further = measured.flatMap((one) => one.further);
  const lines = /** @type {const} */ (["correct", "mistake"]).map((kind) => {
    const ofWalk = walked.filter((one) => one.kind === kind);
    const ofFurther = further.filter((one) => one.kind === kind);
    const inWalk = { same: ofWalk.filter(isAlike).length, of: ofWalk.length };
    const inFurther = { same: ofFurther.filter(({ same }) => same).length, of: ofFurther.length };
    const [one, other] = [intervalOf(inWalk), intervalOf(inFurther)];
    // The interval of 100 % ends at 100 %, apart from rounding.
    const isWithin = (/** @type {number} */ rate, /** @type {typeof one} */ { low, high }) =>
      low <= rate + 1e-9 && rate - 1e-9 <= high ? "within" : "outside";
    const within = [isWithin(other.rate, one), isWithin(one.rate, other)];
    return `  ${kind}: walks ${showRate(inWalk)}, further requests ${showRate(inFurther)}; each rate in the interval of the other: ${within.join(", ")}`;
  });
  const titles = new Set(further.map(({ title }) => title));
  const classes = [...new Set(walked.map(({ title }) => title))].filter((title) => {
    const isFrequent = walked.filter((one) => one.title === title).length > walked.length / 100;
    return isFrequent && !titles.has(title);
  });
  return [
    "Walks and further requests, all services together (95 % intervals):",
    ...lines,
    `  Above 1 % of the walks, and in no further request: ${classes.join(", ") || "nothing"}`,
  ].join("\n");
}

/** @param {{ same: number, of: number }} counted */
function showRate(counted) {
  const { low, high } = intervalOf(counted);
  const { same, of } = counted;
  return `${percent(same, of)} % of ${of} (${percent(low, 1)} to ${percent(high, 1)})`;
}

/** @param {Measured} measured */
function listDifferences({ name, played }) {
  const different = played.filter((one) => !isAlike(one) || !one.sameBody);
  /** @type {Map<string, number>} */
  const classes = new Map();
  for (const one of different) {
    const key = `${verdict(one)}: ${one.title} (${one.kind}), ${one.service.status} and ${one.mock.status}`;
    classes.set(key, (classes.get(key) ?? 0) + 1);
  }
  const summary = [...classes]
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([key, times]) => `  ${times} × ${key}`);
  const each = different.map((one) => {
    const { part, number, kind, title, request } = one;
    const authorization =
      /^Token (first|second)-/.exec(request.headers.Authorization ?? "")?.[1] ?? "no team";
    return [
      `  ${part} ${number}, ${kind}, ${title}: ${verdict(one)}`,
      `    ${request.method} ${request.path} (${authorization}) ${request.body}`,
      `    service: ${show(one.service)}`,
      `    mock:    ${show(one.mock)}`,
    ].join("\n");
  });
  return [`${name}: ${different.length} differences`, ...summary, "", ...each, ""].join("\n");
}

const verdicts = ["FALSE PASS", "FALSE FAILURE", "status", "shape", "body"];

/** @param {Played} one */
function verdict({ mockIs, sameStatus, sameShape }) {
  if (mockIs !== "same") return mockIs === "lenient" ? "FALSE PASS" : "FALSE FAILURE";
  return sameStatus ? (sameShape ? "body" : "shape") : "status";
}

/** @param {string} key */
const rank = (key) => verdicts.findIndex((one) => key.startsWith(one));

/** @param {Played["service"]} response */
function show({ status, headers, text }) {
  const body = text.length > 400 ? `${text.slice(0, 400)}…` : text;
  return `${status} ${headers["content-type"] ?? "no content type"} ${body.trimEnd()}`;
}

/** @param {readonly string[]} args */
async function main(args) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      install: { type: "boolean", default: false },
      differences: { type: "boolean", default: false },
      seed: { type: "string", default: "1" },
      repeats: { type: "string", default: "2" },
      json: { type: "string" },
    },
  });
  const unknown = positionals.filter((name) => services.every((one) => one.name !== name));
  if (unknown.length > 0) {
    console.error(
      `No service ${unknown.join(", ")}. There are ${services.map(({ name }) => name).join(", ")}.`,
    );
    process.exitCode = 2;
    return;
  }
  ensureBuilt();
  /** @type {Measured[]} */
  const measured = [];
  /** @type {Record<string, string>} */
  const skipped = {};
  for (const service of services) {
    const { name } = service;
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const reason = await whyMissing(service, { install: values.install });
    if (reason !== undefined) {
      skipped[name] = reason;
      continue;
    }
    stderr.write(`${name}\n`);
    try {
      const options = { seed: Number(values.seed), repeats: Number(values.repeats) };
      measured.push(await measure(service, options));
    } catch (error) {
      skipped[name] = String(error);
      process.exitCode = 1;
    }
  }
  for (const [name, reason] of Object.entries(skipped)) console.log(`${name} is skipped: ${reason}`);
  if (measured.length === 0) return;
  const total = totalRow(measured);
  if (values.differences) for (const one of measured) console.log(listDifferences(one));
  console.log(table([columns, ...measured.map(row), ...(measured.length > 1 ? [total.cells] : [])]));
  const { sameHeaders, of } = total.figures.all;
  console.log(`WWW-Authenticate, and Allow of a 405, were the same in ${sameHeaders} of ${of} responses.`);
  console.log(compareWithFurther(measured));
  if (values.json !== undefined) {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const result = { version, seed: Number(values.seed), total: total.figures, services: measured, skipped };
    writeFileSync(values.json, `${JSON.stringify(result, undefined, 2)}\n`);
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) await main(argv.slice(2));

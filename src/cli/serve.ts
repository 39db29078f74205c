import { MockError } from "../foundation/mock-error.js";
import { type Settings, settle } from "../mock/options.js";
import { type Started, startServer, version } from "../mock/start-server.js";
import { defaultAssumptions } from "../service/assumptions.js";
import { optionSources } from "./options-from.js";
import { print, warn } from "./terminal.js";

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** `usergroup-mock serve`: listens until a signal comes. */
export async function serve(flags: Readonly<Record<string, unknown>>): Promise<void> {
  const settings = settle(optionSources(flags, process.env, { port: 4010, log: "pretty" }));
  const starting = startServer(settings);
  for (const [signal, code] of Object.entries(signals)) {
    process.once(signal, () => {
      // A second signal means now.
      for (const [again, itsCode] of Object.entries(signals)) process.on(again, () => process.exit(itsCode));
      starting.then(({ mock }) => mock.stop()).finally(() => process.exit(code));
    });
  }
  stopWithNpx(() => process.kill(process.pid, "SIGTERM"));
  const started = await starting.catch(offerFreePort);
  if (settings.adminToken === undefined && !isLoopback(settings.host)) warn(unguarded(settings.host));
  if (settings.log === "pretty") print(banner(started, settings));
  print(`usergroup-mock listening on ${started.mock.url}`);
}

/**
 * `npx usergroup-mock & … kill $!` ends npx and the shell between, and neither hands the signal on: without this
 * the mock would go on, without a parent, on its port.
 */
function stopWithNpx(stop: () => void): void {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = "" } = process.env;
  // What other commands of npx start has these variables too, but not this script.
  if (event !== "npx" || !/^["']?usergroup-mock\b/.test(script)) return;
  const { ppid } = process;
  const watch = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(watch);
    stop();
  }, 250);
  watch.unref();
}

function isLoopback(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host);
}

function unguarded(host: string): string {
  return `${host} can be reached from other machines, and so can the admin API. Give it a token with --admin-token.`;
}

function offerFreePort(error: NodeJS.ErrnoException): never {
  if (error.code !== "EADDRINUSE") throw error;
  throw new MockError("EADDRINUSE", `${error.message.split(". ")[0]}. Use --port 0 for a free one.`);
}

function banner(started: Started, settings: Settings): string {
  const { mock, apiTokens, groups, loadedFrom, randomSeed } = started;
  const changed = Object.entries({ ...settings.assume }).filter(
    ([id, value]) => defaultAssumptions[id as keyof typeof defaultAssumptions] !== String(value),
  );
  const rows: [string, string][] = [
    ...loadedFrom.map((file): [string, string] => ["loaded", file]),
    ["groups", String(groups)],
    ...[...apiTokens].map(([token, team]): [string, string] => ["API token", `${token} → team ${team}`]),
    ["admin", `${mock.url}/__admin/`],
    ...changed.map(([id, value]): [string, string] => ["assumed", `${id}=${value}`]),
    ...(settings.seed === "random" ? [["seed", randomSeed] as [string, string]] : []),
    ["try", tryLine(mock.url, mock.apiToken)],
  ];
  let last = "";
  const lines = rows.map(([label, value]) => {
    const shown = label === last ? "" : label;
    last = label;
    return `  ${shown.padEnd(10)} ${value}`;
  });
  return [`usergroup-mock ${version}`, ...lines, ""].join("\n");
}

function tryLine(url: string, apiToken: string): string {
  const body = JSON.stringify({ user_group_id: "my-group", name: "My group" });
  return (
    // -k: a certificate made for tests is seldom one that curl trusts.
    `curl ${url.startsWith("https:") ? "-k " : ""}-X GET '${url}/api/user'` +
    ` -H 'Authorization: Token ${apiToken.replaceAll("'", "'\\''")}'` +
    ` -H 'Content-Type: application/json' -d '${body}'`
  );
}

import type { ProfileSource } from "../client/read-files.js";
import { type StartedServer, startServer } from "../client/start-server.js";
import { version } from "../client/version.js";
import { isAssumption, valuesOf } from "../fake/contract/assumptions.js";
import { unknownPlaceholders } from "../fake/contract/profile-problems.js";
import { isLoopback } from "../fake/server/guard.js";
import { counted, sentence } from "../foundation/grammar.js";
import { onInterrupt, print, printFailure, warn } from "../foundation/terminal.js";
import type { GivenCommand } from "../options/given-command.js";
import { optionSources } from "../options/option-sources.js";
import { rejectFlag } from "../options/reject-flag.js";
import { resolveOptions, type Settings } from "../options/resolve-options.js";
import { openRun } from "../run/begin-run.js";

/** `usergroup-mock serve`: starts a server, which stops on a signal or, with `--exit-with-parent`, with its parent. */
export async function serve({ serverFlags, argv }: GivenCommand): Promise<number> {
  if (argv.length > 0) rejectFlag("serve does not run a command. Use usergroup-mock exec -- <command>");
  const run = openRun(process.env);
  const sources = optionSources(serverFlags, process.env);
  const settings = await resolveOptions(sources, "server", run?.options);
  const starting = startServer(settings, run);
  onInterrupt((exitCode) => {
    // A second signal exits at once.
    onInterrupt((code) => process.exit(code));
    const stopped = starting.then(({ stop }) => stop().catch(printFailure));
    stopped.catch(() => {}).finally(() => process.exit(exitCode));
  });
  const started = await starting;
  if (settings.adminToken === undefined && !isLoopback(settings.host))
    warn(
      `other machines can reach the mock at ${settings.host}, including its admin API. Protect it with --admin-token.`,
    );
  for (const { file, profile } of started.profiles)
    for (const { path, message } of unknownPlaceholders(profile))
      warn(sentence(`${file} ${path}: ${message}`));
  if (settings.log === "pretty") print(banner(started, settings));
  const event = { event: "listening", url: started.url };
  print(settings.log === "json" ? JSON.stringify(event) : `usergroup-mock listening on ${event.url}`);
  return 0;
}

/** `profile.json: 61 situations, verified 2026-11-18` */
function describeProfile({ file, profile }: ProfileSource): string {
  const { situations = {}, verified } = profile;
  const date = verified?.on === undefined ? "" : `, verified ${verified.on}`;
  return `${file}: ${counted(Object.keys(situations).length, "situation")}${date}`;
}

function banner({ url, worlds, loadedFrom, profiles }: StartedServer, settings: Settings): string {
  const { seed } = worlds.parts;
  const changed = Object.entries(settings.assume).filter(
    ([id, value]) => !isAssumption(id) || valuesOf(id)[0] !== value,
  );
  const rows: Readonly<Record<string, readonly string[]>> = {
    loaded: loadedFrom,
    profile: profiles.map(describeProfile),
    groups: [String(seed.index.groups.size)],
    "API token": [...seed.apiTokens].map(([token, team]) => `${token} → team ${team}`),
    admin: [`${url}/__admin/`],
    assumed: changed.map((pair) => pair.join("=")),
    seed: settings.seed === "random" ? [seed.randomSeed] : [],
    try: [exampleRequest(url, seed.firstApiToken)],
  };
  const lines = Object.entries(rows).flatMap(([label, values]) =>
    values.map((value, index) => `  ${(index === 0 ? label : "").padEnd(10)} ${value}`),
  );
  return [`usergroup-mock ${version}`, ...lines, ""].join("\n");
}

function exampleRequest(url: string, apiToken: string): string {
  const body = JSON.stringify({ user_group_id: "my-group", name: "My group" });
  return (
    // -k: curl does not trust a self-signed test certificate.
    `curl ${url.startsWith("https:") ? "-k " : ""}-X GET '${url}/api/user'` +
    ` -H 'Authorization: Token ${apiToken.replaceAll("'", "'\\''")}'` +
    ` -H 'Content-Type: application/json' -d '${body}'`
  );
}

import { setTimeout as sleep } from "node:timers/promises";
import { readMockUrl } from "../client/mock-url.js";
import { MockError } from "../fake/contract/mock-error.js";
import { urlAt } from "../fake/server/listen.js";
import { exchange } from "../foundation/exchange.js";
import { fieldOf, parseJson } from "../foundation/json.js";
import { print } from "../foundation/terminal.js";
import type { GivenCommand } from "../options/given-command.js";
import { variables } from "../options/names.js";
import { optionSources } from "../options/option-sources.js";
import { rejectFlag } from "../options/reject-flag.js";
import { resolveOptions } from "../options/resolve-options.js";
import type { FlagsOf } from "./commands.js";

/** `usergroup-mock health`: succeeds if a mock responds. Otherwise throws what was requested and what to do. */
export async function health(
  { serverFlags }: GivenCommand,
  { url, wait = 0 }: FlagsOf<"health">,
): Promise<number> {
  const base = await findUrl(serverFlags, url);
  const until = performance.now() + wait * 1000;
  for (;;) {
    try {
      print(await checkHealth(base));
      return 0;
    } catch (error) {
      if (performance.now() >= until) throw error;
    }
    await sleep(100);
  }
}

/** Returns what to print about the mock at this URL. */
async function checkHealth(base: string): Promise<string> {
  const request = `GET ${base}/__admin/health`;
  // Nothing secret is sent, so any certificate is accepted: that of a test may name any host.
  const options = { timeoutMs: 5_000, rejectUnauthorized: false };
  const { status, text } = await exchange(new URL(`${base}/__admin/health`), options).catch((error) => {
    // If localhost has two addresses and neither responds, the error has no message.
    const failure = `${request} failed: ${error.message || error.code}.`;
    throw new MockError("unreachable", `${failure} Start a mock there, or use --url, or --port and --host.`);
  });
  const json = parseJson(text);
  if (status === 200 && typeof fieldOf(json, "worlds") === "number")
    return `usergroup-mock is ready at ${base}.`;
  const message = fieldOf(fieldOf(json, "error"), "message");
  const advice = typeof message === "string" ? message : "This is not a usergroup-mock. Check the URL.";
  throw new MockError("unreachable", `${request} returned status ${status}. ${advice}`);
}

async function findUrl(flags: Readonly<Record<string, unknown>>, url: string | undefined): Promise<string> {
  // Flags describe the server, so they override the URL that `exec` passes to its command.
  const given = url ?? (Object.keys(flags).length > 0 ? undefined : process.env[variables.url]);
  if (given !== undefined) {
    const { root, world } = readMockUrl(given, "health", "it needs no token");
    return world === undefined ? root : `${root}/worlds/${world}`;
  }
  // The server that the same options would start.
  const { host, port, tls } = await resolveOptions(optionSources(flags, process.env), "server");
  if (port !== 0) return urlAt(host, port, tls !== undefined);
  rejectFlag("The port of a mock that was started with --port 0 is not known. Use health --url <url>.");
}

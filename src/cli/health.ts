import { setTimeout as pause } from "node:timers/promises";
import { exchange } from "../foundation/exchange.js";
import { fieldOf, parseJson } from "../foundation/json.js";
import { asError, MockError } from "../foundation/mock-error.js";
import { printable } from "../foundation/printable.js";
import { urlAt } from "../http/address.js";
import { readMockUrl } from "../mock/mock-url.js";
import { resolveOptions } from "../options/resolve-options.js";
import type { FlagsOf } from "./commands.js";
import { urlVariable } from "./names.js";
import { optionSources } from "./options-from.js";
import { refuseFlag } from "./refuse-flag.js";
import type { GivenCommand } from "./run-command.js";
import { print } from "./terminal.js";

/** A mock answers within milliseconds, even when it is busy. */
const timeoutMs = 5_000;

/** How long `--wait` waits before it asks again. */
const pauseMs = 100;

/** `usergroup-mock health`: succeeds when a mock answers. Otherwise throws what was asked and what to do. */
export async function health(
  { serverFlags }: GivenCommand,
  { url, wait = 0 }: FlagsOf<"health">,
): Promise<number> {
  const base = await urlToAsk(serverFlags, url);
  const until = performance.now() + wait * 1000;
  for (;;) {
    const leftMs = Math.max(until - performance.now(), pauseMs);
    try {
      print(await askHealth(base, wait === 0 ? timeoutMs : Math.min(timeoutMs, leftMs)));
      return 0;
    } catch (error) {
      if (wait === 0) throw error;
      if (performance.now() + pauseMs >= until)
        throw new MockError("unreachable", `No mock was ready within ${wait} s. ${asError(error).message}`);
    }
    await pause(pauseMs);
  }
}

/** Returns what to print about the mock at this URL. */
async function askHealth(base: string, timeoutMs: number): Promise<string> {
  const asked = `${base}/__admin/health`;
  // Nothing secret is sent, so any certificate will do: the one of a test may name any host.
  const call = { method: "GET", headers: {}, maxBytes: 100_000, timeoutMs, acceptAnyCertificate: true };
  const { status, text } = await exchange(new URL(asked), call).catch((error: NodeJS.ErrnoException) => {
    // When localhost has two addresses and neither answers, the error has no message.
    const happened = `was not answered (${error.message || error.code})`;
    return fail(asked, happened, "Start a mock there, or ask elsewhere with --url, or --port and --host.");
  });
  const json = parseJson(text);
  const refusal = fieldOf(json, "error");
  const isHealthy = status === 200 && typeof fieldOf(json, "worlds") === "number";
  const asksForToken = status === 401 && fieldOf(refusal, "code") === "unauthorized";
  if (!isHealthy && !asksForToken) {
    const said = fieldOf(refusal, "message");
    const isTold = typeof said === "string";
    const advice = isTold ? printable(said) : "This is no usergroup-mock. Ask elsewhere with --url.";
    fail(asked, `was answered with ${status}`, advice);
  }
  return `A usergroup-mock answers at ${base}${asksForToken ? ", and asks for its admin token" : ""}.`;
}

async function urlToAsk(flags: Readonly<Record<string, unknown>>, url: string | undefined): Promise<string> {
  const hasFlags = Object.keys(flags).length > 0;
  if (url !== undefined && hasFlags) {
    refuseFlag("health takes either --url or flags of a server. Pass only one of them.");
  }
  // Flags say which server is meant, so they beat the URL that `exec` gives to its command.
  const given = url ?? (hasFlags ? undefined : process.env[urlVariable]);
  if (given !== undefined) {
    const { root, world } = readMockUrl(given, "health", "it needs no token");
    return world === undefined ? root : `${root}/worlds/${world}`;
  }
  // The server that the same options would start.
  const { host, port, tls } = await resolveOptions(optionSources(flags, process.env), "server");
  if (port !== 0) return urlAt(host, port, tls !== undefined);
  refuseFlag("health cannot know which port a mock with --port 0 took. Pass its URL: health --url <url>.");
}

function fail(asked: string, happened: string, advice: string): never {
  throw new MockError("unreachable", `GET ${asked} ${happened}. ${advice}`);
}

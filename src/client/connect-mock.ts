import {
  type AdminCallId,
  type AdminClient,
  type AdminResponse,
  type AnyAdminInput,
  adminCall,
  adminTarget,
} from "../fake/contract/admin-calls.js";
import { MockError, type MockErrorCode } from "../fake/contract/mock-error.js";
import { defaultWorld } from "../fake/contract/world-name.js";
import { exchange } from "../foundation/exchange.js";
import { fieldOf, isObject, parseJson } from "../foundation/json.js";
import { hint } from "../foundation/nearest.js";
import type { AdminFailure } from "../generated/types.js";
import { longestWait, makeWorld, type Transport } from "./make-world.js";
import { readMockUrl } from "./mock-url.js";
import { tracedTo } from "./trace-rejections.js";
import type { World } from "./world.js";

/**
 * How to connect to a mock that runs elsewhere.
 * @example const mock = await connectMock(url, { adminToken: process.env.ADMIN_TOKEN });
 */
export interface ConnectOptions {
  /** For a mock that was started with `--admin-token`. */
  adminToken?: string;
}

/**
 * Controls a mock that runs in another process, such as one that the command line or a global set-up started. The URL
 * can be that of a world.
 *
 * @example
 * const mock = await connectMock(process.env.USERGROUP_MOCK_URL ?? "");
 * await mock.reset();
 */
export function connectMock(url: string, options?: ConnectOptions): Promise<World> {
  return tracedTo(connectMock, async () => {
    const { adminToken, ...others } = { ...options };
    for (const name of Object.keys(others)) {
      throw new MockError("invalid_option", `connectMock has no option ${name}${hint(name, ["adminToken"])}`);
    }
    const { root, world: name = defaultWorld } = readMockUrl(url, "connectMock", "use the option adminToken");
    return makeWorld(await overHttp(root, adminToken, name), name);
  });
}

/** How long a response may take beyond the time that the mock was asked to wait: a report can have many megabytes. */
const responseMs = 60_000;

/**
 * Sends admin requests over HTTP. Throws if the server is not a usergroup-mock.
 * @param connected the world that the client connects to
 */
async function overHttp(root: string, adminToken: string | undefined, connected: string): Promise<Transport> {
  const notAMock = (why: string) =>
    new MockError("unreachable", `The server at ${root} is not a usergroup-mock: ${why}. Check the URL.`);

  const ask = async (world: string, id: AdminCallId, input: AnyAdminInput): Promise<string> => {
    const { method, ofServer } = adminCall(id);
    const { body } = input;
    const url = new URL(`${root}${ofServer ? "" : `/worlds/${world}`}/__admin${adminTarget(id, input)}`);
    const authorization = adminToken === undefined ? {} : { Authorization: `Bearer ${adminToken}` };
    const headers = { "Content-Type": "application/json", ...authorization };
    // The mock rejects a longer timeout at once.
    const waitMs = Math.min(Math.max(Number(fieldOf(body, "timeoutMs")) || 0, 0), longestWait);
    const request = { method, headers, text: JSON.stringify(body), timeoutMs: responseMs + waitMs };
    const { status, text } = await exchange(url, request).catch((error: NodeJS.ErrnoException) => {
      const message = untrusted.test(error.code ?? "")
        ? `The certificate of ${url.origin} is not trusted (${error.message}). Set NODE_EXTRA_CA_CERTS to its file when you start Node.`
        : `Cannot connect to a usergroup-mock at ${url.origin} (${error.message}). Start it, or fix the URL. See node_modules/usergroup-mock/docs/troubleshooting.md.`;
      throw new MockError("unreachable", message);
    });
    if (status < 300) return text;
    const error = fieldOf(parseJson(text), "error");
    const message = fieldOf(error, "message");
    if (typeof message !== "string") throw notAMock(`it responded with ${status} in an unexpected format`);
    const { code, details } = error as AdminFailure["error"];
    // Another server may have other codes and details.
    const problems = Array.isArray(details) ? details.filter(isObject) : [];
    throw new MockError(code as MockErrorCode, message, problems);
  };

  /** The first API token of each world whose state may differ from the seed. */
  const tokens = new Map<string, string | undefined>();
  const client = (world: string): AdminClient => {
    return async (id, input) => {
      const json = parseJson(await ask(world, id, input));
      if (json === undefined) throw notAMock("its response is not JSON");
      if (id === "reset" || id === "dropWorld") tokens.delete(world);
      if (id === "importState") tokens.set(world, firstToken(input.body));
      // A usergroup-mock responds in the shapes of its schemas.
      return json as AdminResponse<typeof id>;
    };
  };

  const call = client(connected);
  // Another client may have loaded a state into this world.
  const token = firstToken(await call("exportState", {}));
  if (token === undefined) throw notAMock("its state has no API token");
  tokens.set(connected, token);
  const { apiToken: seeded } = await call("listWorlds", {});
  return {
    url: root,
    tests: new Map(),
    client,
    apiToken: (world) => tokens.get(world) ?? seeded,
    report: async (world, query) => [await ask(world, "getReport", { query })],
  };
}

/** Every state has one. */
function firstToken(state: unknown): string | undefined {
  const teams = fieldOf(state, "teams");
  const [token] = Array.isArray(teams) ? teams.flatMap((team) => fieldOf(team, "api_tokens")) : [];
  return typeof token === "string" ? token : undefined;
}

/** The codes of Node for a certificate whose issuer it does not know. */
const untrusted = /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/;

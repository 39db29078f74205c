import { randomUUID } from "node:crypto";
import {
  type AdminCallId,
  type AdminClient,
  type AdminResponse,
  type AnyAdminInput,
  adminCall,
  adminTarget,
} from "../contract/admin-calls.js";
import { defaultWorld } from "../contract/world-name.js";
import { exchange } from "../foundation/exchange.js";
import { fieldOf, isObject, parseJson, writeJson } from "../foundation/json.js";
import { MockError, type MockErrorCode } from "../foundation/mock-error.js";
import { hint } from "../foundation/nearest.js";
import { shippedSchemas } from "../generated/shipped-schemas.js";
import type { AdminFailure, Problem, ReportQuery } from "../generated/types.js";
import { readMockUrl } from "./mock-url.js";
import type { World } from "./world.js";
import { type Server, worldOf } from "./world-client.js";

/**
 * How to reach a fake that runs elsewhere.
 * @example const mock = await connectMock(url, { adminToken: process.env.ADMIN_TOKEN });
 */
export interface ConnectOptions {
  /** For a fake that was started with `--admin-token`. */
  adminToken?: string;
}

/**
 * Steers a fake that runs in another process: one that the command line or a global set-up started. The URL may
 * be the one of a world.
 *
 * @example
 * const mock = await connectMock(process.env.USERGROUP_MOCK_URL ?? "");
 * await mock.reset();
 */
export async function connectMock(url: string, options?: ConnectOptions): Promise<World> {
  const { adminToken, ...others } = { ...options };
  for (const name of Object.keys(others)) {
    throw new MockError("invalid_option", `connectMock has no option ${name}${hint(name, ["adminToken"])}`);
  }
  const aboutTokens = "an admin token goes into adminToken";
  const { root, world: name = defaultWorld } = readMockUrl(url, "connectMock", aboutTokens);
  const server = new RemoteServer(root, adminToken);
  await server.readTokens(name);
  return worldOf(server, name);
}

/** A string in V8 is shorter than 2^29 characters: a longer answer could not be read. */
const maxBytes = 500_000_000;

/** How long a server may be silent, beyond the time that it was asked to wait. */
const silentMs = 30_000;

/** Makes admin calls over HTTP. */
class RemoteServer implements Server {
  readonly url: string;
  readonly #adminToken: string | undefined;
  /** The first API token of the seed, and of each world whose state was loaded from here. */
  #seeded = "";
  readonly #loaded = new Map<string, string>();

  constructor(url: string, adminToken: string | undefined) {
    this.url = url;
    this.#adminToken = adminToken;
  }

  /** Throws when this is no usergroup-mock. */
  async readTokens(world: string): Promise<void> {
    this.#loaded.set(world, await this.#firstToken(world));
    // Somebody may have loaded another state into that world. A world that nobody uses has the seed.
    this.#seeded = await this.#firstToken(`unused-${randomUUID()}`);
  }

  apiToken(world: string): string {
    return this.#loaded.get(world) ?? this.#seeded;
  }

  client(world: string): AdminClient {
    return async (id, input) => {
      const { url, status, text } = await this.#ask(world, id, input);
      const json = parseJson(text);
      if (json === undefined) throw refusalOf(json, url, status);
      if (id === "reset" || (id === "dropWorld" && input.name === world)) this.#loaded.delete(world);
      if (id === "importState" || id === "restoreSnapshot")
        this.#loaded.set(world, await this.#firstToken(world));
      // A usergroup-mock answers in the shapes of its schemas.
      return json as AdminResponse<typeof id>;
    };
  }

  async report(world: string, query: ReportQuery): Promise<string> {
    return (await this.#ask(world, "getReport", { query })).text;
  }

  async #firstToken(world: string): Promise<string> {
    const teams = fieldOf(await this.client(world)("exportState", {}), "teams");
    const tokens = Array.isArray(teams) ? teams.flatMap((team) => fieldOf(team, "api_tokens")) : [undefined];
    if (tokens.every((token) => typeof token === "string")) return tokens[0] ?? "";
    const message = `What answers at ${this.url} is no usergroup-mock: its state has no teams.`;
    throw new MockError("unreachable", message);
  }

  async #ask(world: string, id: AdminCallId, input: AnyAdminInput) {
    const { method, ofServer } = adminCall(id);
    const { body } = input;
    const path = `${ofServer ? "" : `/worlds/${world}`}/__admin${adminTarget(id, input)}`;
    const url = new URL(`${this.url}${path}`);
    const text = body === undefined ? undefined : writeJson(body);
    const headers = {
      ...(this.#adminToken !== undefined && { Authorization: `Bearer ${this.#adminToken}` }),
      ...(text !== undefined && headersOf(text)),
    };
    const waitMs = id === "waitForRequests" ? timeoutOf(body) : 0;
    const call = { method, headers, text, maxBytes, silentMs: silentMs + waitMs };
    const answer = await exchange(url, call).catch((error: NodeJS.ErrnoException) => {
      const isUntrusted = untrusted.test(error.code ?? "");
      const message = isUntrusted
        ? `The certificate of ${url.origin} is not trusted (${error.message}). Set NODE_EXTRA_CA_CERTS to its file when you start Node.`
        : `No usergroup-mock answers at ${url.origin} (${error.message}). Start it, or fix the URL. More: node_modules/usergroup-mock/docs/troubleshooting.md.`;
      throw new MockError("unreachable", message);
    });
    if (answer.status >= 300) throw refusalOf(parseJson(answer.text), url, answer.status);
    return { url, ...answer };
  }
}

/** How Node names a certificate whose issuer it does not know. */
const untrusted = /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/;

function headersOf(text: string) {
  return { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
}

/** A timeout that the mock would refuse is not waited for. */
function timeoutOf(body: unknown): number {
  const { default: usual, maximum } = shippedSchemas["wait.request.json"].properties.timeoutMs;
  return Math.min(Math.max(Number(fieldOf(body, "timeoutMs") ?? usual) || 0, 0), maximum);
}

function refusalOf(json: unknown, url: URL, status: number): MockError {
  const { error } = (json ?? {}) as Partial<AdminFailure>;
  if (error?.message === undefined) {
    const message = `What answers at ${url.origin} is no usergroup-mock: it answered ${status} in another shape.`;
    return new MockError("unreachable", message);
  }
  const details: unknown[] = Array.isArray(error.details) ? error.details : [];
  // Of a newer server it may be another one.
  const code = error.code as MockErrorCode;
  return new MockError(code, error.message, details.filter(isProblem));
}

function isProblem(detail: unknown): detail is Problem {
  return isObject(detail);
}

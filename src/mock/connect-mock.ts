import { randomUUID } from "node:crypto";
import {
  type AdminAnswer,
  type AdminCallId,
  type AdminClient,
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
import type { AdminFailure, Fixture, Problem, ReportQuery } from "../generated/types.js";
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
  const client = (world: string) => remoteClient(root, world, adminToken);
  const current = await checkedToken(client(name), root);
  // Somebody may have loaded another state into that world. A world that nobody uses has the seed.
  const seeded = await checkedToken(client(`unused-${randomUUID()}`), root);
  const report = (world: string, what: ReportQuery) => remoteReport(root, world, adminToken, what);
  return worldOf({ url: root, report, ...followTokens(client, seeded, new Map([[name, current]])) }, name);
}

/** The first API token of a world, or throws when this is no answer of a usergroup-mock. */
async function checkedToken(call: AdminClient, root: string): Promise<string> {
  const { teams } = (await call("exportState", {})) ?? {};
  const apiTokens = Array.isArray(teams) ? teams.flatMap((team) => team?.api_tokens) : undefined;
  if (apiTokens === undefined || apiTokens.some((token: unknown) => typeof token !== "string")) {
    throw new MockError(
      "unreachable",
      `What answers at ${root} is no usergroup-mock: its state has no teams.`,
    );
  }
  return apiTokens[0] ?? "";
}

/** Follows which API token is the first of each world, as its state is loaded, reset or restored from here. */
function followTokens(
  client: Server["client"],
  seeded: string,
  loaded: Map<string, string>,
): Pick<Server, "client" | "apiToken"> {
  return {
    apiToken: (world) => loaded.get(world) ?? seeded,
    client: (world) => {
      const call = client(world);
      return async (id, input) => {
        const answer = await call(id, input);
        if (id === "reset" || (id === "dropWorld" && input.name === world)) loaded.delete(world);
        if (id === "importState") loaded.set(world, firstTokenIn(input.body));
        if (id === "restoreSnapshot") loaded.set(world, firstTokenIn(await call("exportState", {})));
        return answer;
      };
    },
  };
}

function firstTokenIn(state: unknown): string {
  const { teams = [] } = state as Fixture;
  return teams.flatMap(({ api_tokens }) => api_tokens)[0] ?? "";
}

/** A string in V8 is shorter than 2^29 characters: a longer answer could not be read. */
const maxBytes = 500_000_000;

/** How long a server may be silent, beyond the time that it was asked to wait. */
const silentMs = 30_000;

/** Makes admin calls over HTTP. */
function remoteClient(root: string, world: string, adminToken: string | undefined): AdminClient {
  return async (id, input) => {
    const { url, status, text } = await ask(root, world, adminToken, id, input);
    const json = parseJson(text);
    if (status >= 300 || json === undefined) throw refusalOf(json, url, status);
    // A usergroup-mock answers in the shapes of its schemas.
    return json as AdminAnswer<typeof id>;
  };
}

async function remoteReport(
  root: string,
  world: string,
  adminToken: string | undefined,
  query: ReportQuery,
): Promise<string> {
  const { url, status, text } = await ask(root, world, adminToken, "getReport", { query });
  if (status >= 300) throw refusalOf(parseJson(text), url, status);
  return text;
}

async function ask(
  root: string,
  world: string,
  adminToken: string | undefined,
  id: AdminCallId,
  input: AnyAdminInput,
) {
  const { method, ofServer } = adminCall(id);
  const { body } = input;
  const url = new URL(`${root}${ofServer ? "" : `/worlds/${world}`}/__admin${adminTarget(id, input)}`);
  const text = body === undefined ? undefined : writeJson(body);
  const authorization = adminToken === undefined ? {} : { Authorization: `Bearer ${adminToken}` };
  const headers = { ...authorization, ...(text !== undefined && headersOf(text)) };
  const waitMs = id === "waitForRequests" ? timeoutOf(body) : 0;
  const call = { method, headers, text, maxBytes, silentMs: silentMs + waitMs };
  const answer = await exchange(url, call).catch((error: NodeJS.ErrnoException) => {
    const isUntrusted = untrusted.test(error.code ?? "");
    const message = isUntrusted
      ? `The certificate of ${url.origin} is not trusted (${error.message}). Set NODE_EXTRA_CA_CERTS to its file when you start Node.`
      : `No usergroup-mock answers at ${url.origin} (${error.message}). Start it, or fix the URL. More: docs/troubleshooting.md.`;
    throw new MockError("unreachable", message);
  });
  return { url, ...answer };
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

import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type {
  AdminFailure,
  AssumptionList,
  Fault,
  FaultList,
  Fixture,
  Health,
  JournalEntry,
  JournalPage,
  Problem,
  Snapshot,
  WorldList,
} from "../contract/types.js";
import { writeJson } from "../foundation/json.js";
import { MockError } from "../foundation/mock-error.js";
import { defaultWorld } from "../world/worlds.js";
import { type Controls, steer, type World } from "./steering.js";

export interface ConnectOptions {
  /** Where the fake was started with `--admin-token`. */
  adminToken?: string;
}

/**
 * Steers a fake that runs in another process: one that the command line or a global set-up started. The URL may
 * be that of a world.
 *
 * @example
 * const mock = await connectMock(process.env.USERGROUP_MOCK_URL ?? "");
 * await mock.reset();
 */
export async function connectMock(url: string, options?: ConnectOptions): Promise<World> {
  const { adminToken } = options ?? {};
  // localhost:4010 is a URL too, of the scheme localhost.
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    const given = JSON.stringify(url);
    throw new MockError(
      "invalid_option",
      `connectMock wants the URL of a running usergroup-mock, not ${given}.`,
    );
  }
  const { origin, pathname, search, hash, username, password } = new URL(url);
  // Not shown: who has a token there may have it elsewhere too.
  if (search + hash + username + password !== "") {
    const message = `connectMock wants a URL without ?, # and @, such as ${origin}; an admin token goes into adminToken.`;
    throw new MockError("invalid_option", message);
  }
  const [, folder = "", name = defaultWorld] = /^(.*?)(?:\/worlds\/([^/]+))?\/*$/.exec(pathname) ?? [];
  const root = `${origin}${folder}`;
  const controls = (world: string) => remoteControls(root, world, adminToken);
  const { teams } = (await controls(name).state()) ?? {};
  const apiTokens = Array.isArray(teams) ? teams.flatMap((team) => team?.api_tokens) : undefined;
  if (apiTokens === undefined || apiTokens.some((token: unknown) => typeof token !== "string")) {
    throw new MockError(
      "unreachable",
      `What answers at ${root} is no usergroup-mock: its state has no teams.`,
    );
  }
  return steer({ url: root, apiToken: apiTokens[0] ?? "", controls }, name);
}

/** The controls of the world at that base URL, over the admin API. */
function remoteControls(root: string, name: string, adminToken: string | undefined): Controls {
  const base = `${root}/worlds/${name}`;
  // What answers is a usergroup-mock, whose answers have the shapes that it documents.
  const call = <T>(method: string, path: string, body?: unknown, waitMs?: number) =>
    adminCall({ base, adminToken }, method, path, body, waitMs) as Promise<T>;
  const atRoot = (method: string, path: string) =>
    adminCall({ base: root, adminToken }, method, path, undefined);
  const tell = async (method: string, path: string, body?: unknown) => void (await call(method, path, body));
  return {
    health: () => call<Health>("GET", "/health"),
    reset: () => tell("POST", "/reset"),
    state: () => call<Fixture>("GET", "/state"),
    load: (fixture) => tell("PUT", "/state", fixture),
    requests: (filter) => call<JournalPage>("GET", `/requests?${new URLSearchParams(entries(filter))}`),
    clearRequests: () => tell("DELETE", "/requests"),
    wait: async (wait) => {
      // What the mock would refuse is not waited for here either.
      const waitMs = Math.min(Math.max(Number(wait.timeoutMs ?? 5_000) || 0, 0), 600_000);
      return (await call<{ requests: JournalEntry[] }>("POST", "/requests/wait", wait, waitMs)).requests;
    },
    har: () => call<object>("GET", "/requests.har"),
    arm: (fault) => call<Fault>("POST", "/faults", fault),
    faults: () => call<FaultList>("GET", "/faults"),
    removeFault: (id) => tell("DELETE", `/faults/${id}`),
    clearFaults: () => tell("DELETE", "/faults"),
    release: (id) => call<Fault>("POST", `/faults/${id}/release`),
    assume: (choice) => call<AssumptionList>("PATCH", "/assumptions", choice),
    assumptions: () => call<AssumptionList>("GET", "/assumptions"),
    snapshot: () => call<Snapshot>("POST", "/snapshots"),
    restore: (id) => tell("POST", `/snapshots/${id}/restore`),
    forget: (id) => tell("DELETE", `/snapshots/${id}`),
    // Not by way of the world itself, which would come to life to be asked.
    worlds: () => atRoot("GET", "/worlds") as Promise<WorldList>,
    drop: async () => void (await atRoot("DELETE", `/worlds/${name}`)),
  };
}

function entries(filter: object): [string, string][] {
  return Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
}

/** Where the admin API of a world is, and what opens it. */
interface AdminApi {
  readonly base: string;
  readonly adminToken: string | undefined;
}

async function adminCall(
  { base, adminToken }: AdminApi,
  method: string,
  path: string,
  body: unknown,
  waitMs = 0,
): Promise<unknown> {
  const url = new URL(`${base}/__admin${path}`);
  const text = body === undefined ? undefined : writeJson(body);
  const { status, answer } = await exchange(url, method, text, adminToken, waitMs).catch((error: Error) => {
    throw new MockError(
      "unreachable",
      `No usergroup-mock answers at ${url.origin} (${error.message}). Start it, or mend the URL.`,
    );
  });
  const json = parse(answer);
  if (status < 300 && json !== undefined) return json;
  const { error } = (json ?? {}) as Partial<AdminFailure>;
  if (error?.message === undefined) {
    throw new MockError(
      "unreachable",
      `What answers at ${url.origin} is no usergroup-mock: it answered ${status} otherwise.`,
    );
  }
  const details: unknown[] = Array.isArray(error.details) ? error.details : [];
  throw new MockError(error.code, error.message, details.filter(isProblem));
}

function isProblem(detail: unknown): detail is Problem {
  return typeof detail === "object" && detail !== null;
}

function parse(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return undefined;
  }
}

/** A text in V8 is shorter than 2^29: of more nothing could be read. */
const mostBytes = 500_000_000;

/** Who is silent for so long, and longer than it was asked to wait, does not answer any more. */
const silentMs = 30_000;

/** A connection of its own for each call: none is left open, and none is stale when the fake was restarted. */
function exchange(
  url: URL,
  method: string,
  text: string | undefined,
  adminToken: string | undefined,
  waitMs: number,
): Promise<{ status: number; answer: string }> {
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  const headers = {
    ...(text !== undefined && {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(text),
    }),
    ...(adminToken !== undefined && { Authorization: `Bearer ${adminToken}` }),
  };
  return new Promise((resolve, reject) => {
    const req = request(url, { method, agent: false, headers }, (res) => {
      const chunks: Buffer[] = [];
      let length = 0;
      res.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > mostBytes) req.destroy(new Error("it answers more than any usergroup-mock"));
      });
      res.on("end", () => resolve({ status: res.statusCode ?? 0, answer: Buffer.concat(chunks).toString() }));
      res.on("error", reject);
    });
    req.on("error", reject);
    const silence = silentMs + waitMs;
    req.setTimeout(silence, () =>
      req.destroy(new Error(`it took the call, and was silent for ${silence / 1000} s`)),
    );
    req.end(text);
  });
}

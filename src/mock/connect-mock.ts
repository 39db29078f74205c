import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { MockError } from "../contract/mock-error.js";
import type { AdminFailure, Fixture, Health } from "../contract/types.js";
import type { World } from "./steering.js";

/**
 * Steers a fake that runs in another process: one that the command line or a global set-up started.
 *
 * @example
 * const mock = await connectMock(process.env.USERGROUP_MOCK_URL);
 * await mock.reset();
 */
export async function connectMock(url: string): Promise<World> {
  const base = url.replace(/\/+$/, "");
  if (!URL.canParse(base)) {
    throw new MockError(
      "invalid_option",
      `connectMock wants the URL of a running usergroup-mock, not ${JSON.stringify(url)}.`,
    );
  }
  const call = (method: string, path: string, body?: unknown) => adminCall(base, method, path, body);
  const state = async () => (await call("GET", "/state")) as Fixture;
  const { teams = [] } = await state();
  return {
    url: base,
    apiToken: teams.flatMap((team) => team.api_tokens)[0] ?? "",
    health: async () => (await call("GET", "/health")) as Health,
    reset: async () => void (await call("POST", "/reset")),
    state,
    load: async (fixture) => void (await call("PUT", "/state", fixture)),
  };
}

/** A connection of its own for each call: none is left open, and none is stale when the fake was restarted. */
async function adminCall(base: string, method: string, path: string, body: unknown): Promise<unknown> {
  const url = new URL(`${base}/__admin${path}`);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const { status, answer } = await exchange(url, method, text).catch((error: Error) => {
    throw new MockError(
      "unreachable",
      `No usergroup-mock answers at ${base} (${error.message}). Start it first.`,
    );
  });
  let json: unknown;
  try {
    json = JSON.parse(answer);
  } catch {
    throw new MockError(
      "unreachable",
      `What answers at ${base} is no usergroup-mock: it answered ${status} without JSON.`,
    );
  }
  if (status < 300) return json;
  const { error } = json as Partial<AdminFailure>;
  throw new MockError(
    error?.code ?? "unreachable",
    error?.message ?? `${method} ${url} answered ${status}.`,
    error?.details,
  );
}

function exchange(
  url: URL,
  method: string,
  text: string | undefined,
): Promise<{ status: number; answer: string }> {
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  const headers =
    text === undefined
      ? {}
      : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const req = request(url, { method, agent: false, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("end", () => resolve({ status: res.statusCode ?? 0, answer: Buffer.concat(chunks).toString() }));
      res.on("error", reject);
    });
    req.on("error", reject);
    req.end(text);
  });
}

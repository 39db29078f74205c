import { randomUUID } from "node:crypto";
import { operations, servicePath } from "../contract/operations.js";
import { exchange } from "../foundation/exchange.js";
import { asError, MockError } from "../foundation/mock-error.js";
import type { JournalEntry, Problem, SendRequest } from "../generated/types.js";
import { showEntry } from "../world/journal/show-entry.js";
import type { ServedWorld } from "../world/served-world.js";

/** Shows in the journal that the admin API sent the request. The entry is found by its value. */
const senderHeader = "usergroup-mock-sent-by";

/** Headers of the connection, which the mock sets. */
const connectionHeaders =
  /^(host|connection|keep-alive|proxy-connection|content-length|transfer-encoding|expect|upgrade|te|trailer|usergroup-mock-sent-by)$/i;

/**
 * Sends a request to the service in this world over an ordinary connection, and returns its journal entry. The
 * inspector cannot send it: a browser sends no GET with a body.
 * @param address where this server listens
 * @param gone aborted when the client of the admin API disconnects
 */
export async function sendRequest(
  world: ServedWorld,
  request: SendRequest,
  address: string,
  gone: AbortSignal | undefined,
): Promise<JournalEntry> {
  const problems = sendProblems(request);
  if (problems.length > 0) throw new MockError("invalid_request", "Invalid request:", problems);
  const { operation, body } = request;
  const { method = "", path = "" } =
    operation === undefined ? request : { method: operations[operation].method, path: servicePath };
  const text = body === undefined ? request.text : JSON.stringify(body);
  const sender = `admin-api ${randomUUID()}`;
  const result = await exchange(new URL(address), {
    method,
    path: `/worlds/${world.name}${path}`,
    headers: { ...headersToSend(world, request, text), [senderHeader]: sender },
    text,
    abort: gone,
    acceptAnyCertificate: true,
  }).then(
    ({ status }) =>
      `the mock responded with ${status} before the request reached the world, or the journal was cleared`,
    // A fault may break the response. Then the entry has the cause.
    (error: unknown) => asError(error).message,
  );
  // A reset in between has moved the entry to the history.
  for (const { journal } of [world.epoch, ...world.past]) {
    const entry = [...journal].findLast(({ head }) => head.headers[senderHeader] === sender);
    if (entry !== undefined) return showEntry(entry);
  }
  throw new MockError("invalid_request", `The journal has no entry for this request: ${result}.`);
}

function sendProblems({ operation, method, path, headers = {}, body, text }: SendRequest): Problem[] {
  const message =
    operation === undefined ? "is required without operation" : "cannot be combined with operation";
  return [
    ...Object.entries({ method, path })
      .filter(([, given]) => (given === undefined) === (operation === undefined))
      .map(([field]) => ({ path: `/${field}`, message })),
    ...(body !== undefined && text !== undefined
      ? [{ path: "/text", message: "cannot be combined with body" }]
      : []),
    ...Object.keys(headers)
      .filter((name) => connectionHeaders.test(name))
      .map((name) => ({ path: `/headers/${name}`, message: "is set by the mock" })),
  ];
}

/** The default headers, changed by those of the request. Names of headers are case-insensitive. */
function headersToSend({ epoch }: ServedWorld, { headers = {} }: SendRequest, text: string | undefined) {
  const all = new Map<string, string | number | null>([
    ["authorization", `Token ${epoch.groups.seed.firstApiToken}`],
    ["content-type", text === undefined ? null : "application/json"],
    ...Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const),
    ["content-length", text === undefined ? null : Buffer.byteLength(text)],
  ]);
  return Object.fromEntries([...all].flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

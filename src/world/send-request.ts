import { randomUUID } from "node:crypto";
import { operations, servicePath } from "../contract/operations.js";
import { exchange } from "../foundation/exchange.js";
import { asError, MockError } from "../foundation/mock-error.js";
import type { JournalEntry, Problem, SendRequest } from "../generated/types.js";
import type { HostedWorld } from "./hosted-world.js";
import { showEntry } from "./journal/show-entry.js";

/** The header by which the journal shows who sent a call, and by which its entry is found. */
const senderHeader = "usergroup-mock-sent-by";

/** Headers that belong to the connection, which is the mock's own. */
const connectionHeaders =
  /^(host|connection|keep-alive|proxy-connection|content-length|transfer-encoding|expect|upgrade|te|trailer|usergroup-mock-sent-by)$/i;

/** The answer of a fault may be long; nothing else is. */
const maxSentAnswer = 20_000_000;

interface SendContext {
  /** Where this server listens. */
  readonly address: string;
  /** Aborted when whoever asked for the call goes away: then its caller has left. */
  readonly gone: AbortSignal | undefined;
}

/**
 * Makes a call of the service in this world, over a connection like any other caller's, and gives its entry. A page
 * cannot do that itself: a browser sends no GET with a body.
 */
export async function sendRequest(
  world: HostedWorld,
  call: SendRequest,
  sender: SendContext,
): Promise<JournalEntry> {
  const problems = mistakesIn(call);
  if (problems.length > 0) throw new MockError("invalid_request", "This request is not valid:", problems);
  const { operation, method = "", path = "" } = call;
  const target =
    operation === undefined ? { method, path } : { method: operations[operation].method, path: servicePath };
  const text = call.body === undefined ? call.text : JSON.stringify(call.body);
  const ticket = `admin-api ${randomUUID()}`;
  const headers = { ...sentHeaders(world, call, text), [senderHeader]: ticket };
  const url = new URL(sender.address);
  const sent = { method: target.method, path: `/worlds/${world.name}${target.path}`, headers, text };
  const came = await exchange(url, {
    ...sent,
    maxBytes: maxSentAnswer,
    abort: sender.gone,
    acceptAnyCertificate: true,
  }).then(
    ({ status }) => `it was answered ${status} before it reached the world, or the journal was cleared`,
    // A fault may break the answer: the entry tells.
    (error: unknown) => asError(error).message,
  );
  const entry = findEntry(world, ticket);
  if (entry !== undefined) return entry;
  throw new MockError("invalid_request", `The journal has no entry of this call: ${came}.`);
}

function mistakesIn({ operation, method, path, headers = {}, body, text }: SendRequest): Problem[] {
  const problems: Problem[] = [];
  const report = (path: string, message: string) => problems.push({ path, message });
  for (const [field, given] of Object.entries({ method, path })) {
    if (operation !== undefined && given !== undefined)
      report(`/${field}`, "must be left out: the operation says it");
    if (operation === undefined && given === undefined)
      report(`/${field}`, "is required where there is no operation");
  }
  if (body !== undefined && text !== undefined) report("/text", "must be left out: there is a body");
  for (const name of Object.keys(headers)) {
    if (connectionHeaders.test(name)) report(`/headers/${name}`, "must be left out: the mock sets it itself");
  }
  return problems;
}

/** Those that every call has, changed by what is asked for. The names of headers know no case. */
function sentHeaders(world: HostedWorld, { headers = {} }: SendRequest, text: string | undefined) {
  const all = new Map<string, string | number>([
    ["authorization", `Token ${world.epoch.groups.firstApiToken}`],
  ]);
  if (text !== undefined) all.set("content-type", "application/json");
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) all.delete(name.toLowerCase());
    else all.set(name.toLowerCase(), value);
  }
  if (text !== undefined) all.set("content-length", Buffer.byteLength(text));
  return Object.fromEntries(all);
}

/** A reset in between has moved it to the history. */
function findEntry({ epoch, past }: HostedWorld, ticket: string): JournalEntry | undefined {
  for (const { journal, isListed } of [epoch, ...past]) {
    const entry = [...journal].findLast(({ head }) => head.headers[senderHeader] === ticket);
    if (entry !== undefined) return showEntry(entry, isListed);
  }
  return undefined;
}

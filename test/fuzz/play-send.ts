import { fieldOf, parseJson } from "../../src/foundation/json.js";
import type { CaseRecord } from "./case-record.js";
import { checkBytes, checkResponse } from "./check-response.js";
import { Connection } from "./connection.js";
import { Finding } from "./finding.js";
import { soon } from "./patience.js";
import { isWhole, renderRequest } from "./render-request.js";
import type { ServerProcess } from "./server-process.js";
import type { RequestParts, SendStep } from "./steps.js";

/** A connection of a step. */
export interface Sent {
  readonly connection: Connection;
  readonly title: string;
  /** Whether the server has to respond or to close the connection. */
  readonly needsResponse: boolean;
  /** Rejects with a finding once the connection has ended. */
  readonly checked: Promise<void>;
}

export async function playSend(step: SendStep, server: ServerProcess, record: CaseRecord): Promise<Sent> {
  const { world, requests, caller } = step;
  const tag = server.nextTag();
  const tokenOf = (id: string) => record.tokenOf(world, id);
  const bytes = Buffer.concat(
    requests.map((request, n) =>
      renderRequest(request, world, `${tag}.${n}`, n === requests.length - 1, tokenOf),
    ),
  );
  for (const [at, byte] of step.overwrite) bytes[at % bytes.length] = byte;
  for (const changed of changedWorlds(step)) record.noteChange(changed);
  if (requests.some(({ target }) => target.includes("/faults")) || step.overwrite.length > 0)
    record.hasFaults = true;

  const connection = new Connection(server.url);
  server.requests += requests.length;
  if (caller === "stalls") connection.pause();
  await connection.write(bytes, step.writes);
  if (caller === "ends") connection.endOwnSide();
  if (caller === "aborts") await connection.abort();
  const [{ method, target } = { method: "", target: "" }] = requests;
  const checked = connection.ended.then(() => check(step, tag, connection, server, record));
  if (step.wait && caller === "reads") await soon(checked);
  checked.catch(() => {});
  return { connection, title: `${method} ${target}`, needsResponse: isWhole(step), checked };
}

/** The worlds that a step may change through the admin API. */
function changedWorlds({ world, requests, overwrite }: SendStep): string[] {
  if (overwrite.length > 0) return ["*"];
  const isHarmless = ({ method, target }: RequestParts) =>
    target.startsWith("/api/user") || (method === "GET" && target.startsWith("/__admin"));
  const changing = requests.filter((request) => !isHarmless(request));
  const isLocal = ({ target }: RequestParts) => /^\/__admin(?!\/worlds)/.test(target);
  return changing.map((request) => (isLocal(request) ? world : "*"));
}

function check(
  { world, requests, overwrite }: SendStep,
  tag: number,
  connection: Connection,
  server: ServerProcess,
  record: CaseRecord,
): void {
  checkBytes(connection.received, record.hasFaults);
  if (overwrite.length > 0) return;
  const responses = connection.responses(requests.map(({ method }) => method));
  const isStrict = requests.every(({ framing }) => ["length", "chunked", "trailer"].includes(framing));
  if (isStrict && responses.length > requests.length)
    throw new Finding("responses are valid", `${responses.length} for ${requests.length} requests`);
  for (const [n, request] of (isStrict ? requests : []).entries()) {
    const response = responses[n];
    if (response === undefined) break;
    checkResponse(request, response, record.hasFaults);
    const journalId = Number(response.headers.get("usergroup-mock-request"));
    if (!request.target.startsWith("/api/user") || Number.isNaN(journalId)) continue;
    record.observed.push({ world, tag: `${tag}.${n}`, status: response.status, journalId });
    const group = fieldOf(parseJson(response.body), "user_group");
    keepToken(group, world, server, record);
  }
}

export function keepToken(group: unknown, world: string, server: ServerProcess, record: CaseRecord): void {
  const [token, id, team] = ["token", "provided_id", "team_id"].map((name) => fieldOf(group, name));
  if (typeof token !== "string" || typeof id !== "string") return;
  record.keepToken(world, id, token);
  if (!/^[0-9a-f]{64}$/.test(token) || server.seedTokens.has(token)) return;
  expectOne(record.claimToken(token, `${team}/${id}`), `${team}/${id}`);
  // A loaded state may have one token in several worlds.
  if (record.isPristine(world)) expectOne(record.claimToken(`the world of ${token}`, world), world);

  function expectOne(first: string, second: string): void {
    if (first !== second)
      throw new Finding(
        "D: tokens never repeat, worlds are isolated",
        `${first} and ${second} share ${token}`,
      );
  }
}

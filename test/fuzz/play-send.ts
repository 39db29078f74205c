import { fieldOf, parseJson } from "../../src/foundation/json.js";
import type { CaseRecord } from "./case-record.js";
import { checkAnswer, checkBytes } from "./check-answer.js";
import { Connection } from "./connection.js";
import { Finding } from "./finding.js";
import { soon } from "./patience.js";
import { isWhole, renderRequest } from "./render-request.js";
import type { ServerProcess } from "./server-process.js";
import type { RequestParts, SendStep } from "./steps.js";

/** A connection that a step has opened. */
export interface Sent {
  readonly connection: Connection;
  readonly words: string;
  /** Whether the server owes an answer, or the end of the connection. */
  readonly isOwed: boolean;
  /** What came is checked once the connection is over. Rejects with what does not hold. */
  readonly checked: Promise<void>;
}

export async function playSend(step: SendStep, server: ServerProcess, record: CaseRecord): Promise<Sent> {
  const { world, requests, caller } = step;
  const call = server.nextCall();
  const tokenOf = (id: string) => record.tokenOf(world, id);
  const bytes = Buffer.concat(
    requests.map((request, n) =>
      renderRequest(request, world, `${call}.${n}`, n === requests.length - 1, tokenOf),
    ),
  );
  for (const [at, byte] of step.overwrite) bytes[at % bytes.length] = byte;
  const ended = changedWorlds(step).map((changed) => record.changes(changed));
  if (requests.some(({ target }) => /\/(faults|restore)/.test(target)) || step.overwrite.length > 0)
    record.hasFaults = true;

  const connection = new Connection(server.url);
  server.calls += requests.length;
  void connection.ended.then(() => {
    for (const end of ended) end();
  });
  if (caller === "stalls") connection.pause();
  await connection.write(bytes, step.writes);
  if (caller === "ends") connection.endOwnSide();
  if (caller === "breaks off") await connection.breakOff();
  const [{ method, target } = { method: "", target: "" }] = requests;
  const checked = connection.ended.then(() => check(step, call, connection, server, record));
  if (step.wait && caller === "reads") await soon(checked);
  checked.catch(() => {});
  return { connection, words: `${method} ${target}`, isOwed: isWhole(step), checked };
}

/** The worlds that a step may change otherwise than the service does. */
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
  call: number,
  connection: Connection,
  server: ServerProcess,
  record: CaseRecord,
): void {
  checkBytes(connection.received, record.hasFaults);
  if (overwrite.length > 0) return;
  const answers = connection.answers(requests.map(({ method }) => method));
  const isStrict = requests.every(({ framing }) => ["length", "chunked", "trailer"].includes(framing));
  if (isStrict && answers.length > requests.length)
    throw new Finding("answers are what they should be", `${answers.length} for ${requests.length} requests`);
  for (const [n, request] of (isStrict ? requests : []).entries()) {
    const answer = answers[n];
    if (answer === undefined) break;
    checkAnswer(request, answer, record.hasFaults);
    const journalId = Number(answer.headers.get("usergroup-mock-request"));
    if (!request.target.startsWith("/api/user") || Number.isNaN(journalId)) continue;
    record.observed.push({ world, call: `${call}.${n}`, status: answer.status, journalId });
    const group = fieldOf(parseJson(answer.body), "user_group");
    keepToken(group, world, server, record);
  }
}

export function keepToken(group: unknown, world: string, server: ServerProcess, record: CaseRecord): void {
  const [token, id, team] = ["token", "provided_id", "team_id"].map((name) => fieldOf(group, name));
  if (typeof token !== "string" || typeof id !== "string") return;
  record.keepToken(world, id, token);
  if (!/^[0-9a-f]{64}$/.test(token) || server.seedTokens.has(token)) return;
  expectOne(record.claimToken(token, `${team}/${id}`), `${team}/${id}`);
  // A state may name tokens itself, the same ones in several worlds.
  if (record.isPristine(world)) expectOne(record.claimToken(`the world of ${token}`, world), world);

  function expectOne(first: string, second: string): void {
    if (first !== second)
      throw new Finding(
        "D: tokens never repeat, worlds never touch",
        `${first} and ${second} share ${token}`,
      );
  }
}

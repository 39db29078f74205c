import { adminBystanderBound, bystanderBound } from "../server/bystander.js";
import { CaseRecord } from "./case-record.js";
import { Finding } from "./finding.js";
import { look } from "./look.js";
import { inTime, soon } from "./patience.js";
import { playOvertake } from "./play-overtake.js";
import { playRace } from "./play-race.js";
import { playSend, type Sent } from "./play-send.js";
import type { ServerProcess } from "./server-process.js";
import type { Case } from "./steps.js";

/** Several times what the server needs. */
const memoryBound = 500_000_000;

export interface Measured {
  readonly bystanderMs: number;
  readonly memory: number;
}

/** Plays a case. Throws a `Finding` if a rule is broken. */
export async function playCase(steps: Case, server: ServerProcess): Promise<Measured> {
  const record = new CaseRecord();
  const sent: Sent[] = [];
  await server.ask("DELETE", "/__admin/worlds");
  const { groups: seeded } = await server.get("/__admin/health");
  await server.bystanderWaited();
  try {
    for (const step of steps) {
      if (step.do === "send") sent.push(await playSend(step, server, record));
      if (step.do === "race") await playRace(step, server, record);
      if (step.do === "overtake") await playOvertake(step, server, record);
    }
    const worlds = new Set(steps.flatMap((step) => (step.do === "send" ? [step.world] : [])));
    await Promise.all([...worlds].map((world) => look(server, world, record)));
    await settle(sent, server);
    await expectSeed(server, seeded);
    const { errorOutput } = server;
    if (errorOutput !== "") throw new Finding("nothing is printed", errorOutput.slice(0, 2_000));
    return await measure(server, steps);
  } finally {
    for (const { connection } of sent) connection.close();
  }
}

/** Waits for a response to every whole request, and checks every response. */
async function settle(sent: readonly Sent[], server: ServerProcess): Promise<void> {
  const waiting = sent.filter(({ needsResponse }) => needsResponse);
  for (const { connection } of sent) connection.resume();
  const ended = Promise.all(waiting.map(({ connection, title }) => inTime(connection.ended, title)));
  // Ends held and waiting requests. Repeatedly, because some may arrive only now.
  while ((await soon(ended)) === undefined) await server.ask("DELETE", "/__admin/worlds");
  for (const { connection, checked } of sent) {
    // The server may wait for more bytes of an incomplete request.
    connection.close();
    await checked;
  }
}

/** After all worlds were dropped, the server has the initial state. Aborted requests may arrive late. */
async function expectSeed(server: ServerProcess, seeded: number): Promise<void> {
  let groups = 0;
  for (let tries = 0; tries < 100 && groups !== seeded; tries++) {
    await server.ask("DELETE", "/__admin/worlds");
    ({ groups } = await server.get("/__admin/health"));
  }
  if (groups !== seeded)
    throw new Finding("the server stays alive", `it has ${groups} groups instead of ${seeded}`);
}

async function measure(server: ServerProcess, steps: Case): Promise<Measured> {
  const bystanderMs = await server.bystanderWaited();
  const sent = steps.flatMap((step) => (step.do === "send" ? step.requests : []));
  const sendsAdminBody = sent.some(({ target }) => target.includes("__admin"));
  const took = `a request took ${Math.round(bystanderMs)} ms`;
  if (bystanderMs > (sendsAdminBody ? adminBystanderBound : bystanderBound))
    throw new Finding("a bystander is not delayed", took, bystanderMs);
  const { memory } = server;
  if (memory > memoryBound) throw new Finding("memory is bounded", `${Math.round(memory / 1e6)} MB`);
  return { bystanderMs, memory };
}

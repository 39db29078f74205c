import { adminBystanderBound, bystanderBound } from "../http/bystander.js";
import { CaseRecord } from "./case-record.js";
import { Finding } from "./finding.js";
import { look } from "./look.js";
import { inTime, soon } from "./patience.js";
import { playOvertake } from "./play-overtake.js";
import { playRace } from "./play-race.js";
import { playSend, type Sent } from "./play-send.js";
import { playSignal } from "./play-signal.js";
import type { ServerProcess } from "./server-process.js";
import type { Case } from "./steps.js";

/** Several times what it needs: what a case leaves behind is dropped after it. */
const memoryBound = 500_000_000;

export interface Measured {
  readonly bystanderMs: number;
  readonly memory: number;
}

/** Plays a case and checks that everything holds. Throws a `Finding` when something does not. */
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
      if (step.do === "signal") {
        const memory = server.memory;
        await playSignal(step, server);
        await settle(sent, undefined);
        expectQuiet(server);
        return { bystanderMs: 0, memory };
      }
    }
    const worlds = new Set(steps.flatMap((step) => ("world" in step ? [step.world] : [])));
    await Promise.all([...worlds].map((world) => look(server, world, record)));
    await settle(sent, server);
    await expectSeed(server, seeded);
    expectQuiet(server);
    return await measure(server, steps);
  } finally {
    for (const { connection } of sent) connection.close();
  }
}

/** Every whole call is answered, and every answer is checked. */
async function settle(sent: readonly Sent[], server: ServerProcess | undefined): Promise<void> {
  const owed = sent.filter(({ isOwed }) => isOwed);
  for (const { connection } of sent) connection.resume();
  const ended = Promise.all(owed.map(({ connection, words }) => inTime(connection.ended, words)));
  // Ends what is held, and what waits for something that will not come. Again and again, as it may begin only now.
  while ((await soon(ended)) === undefined) await server?.ask("DELETE", "/__admin/worlds");
  for (const { connection, checked } of sent) {
    // What is owed no answer may wait for more bytes, rightly.
    connection.close();
    await checked;
  }
}

/** Without its worlds, it is as it was. Calls that were broken off may arrive late. */
async function expectSeed(server: ServerProcess, seeded: number): Promise<void> {
  let groups = 0;
  for (let tries = 0; tries < 100 && groups !== seeded; tries++) {
    await server.ask("DELETE", "/__admin/worlds");
    ({ groups } = await server.get("/__admin/health"));
  }
  if (groups !== seeded) throw new Finding("it stays alive", `it has ${groups} groups instead of ${seeded}`);
}

function expectQuiet({ complaints }: ServerProcess): void {
  if (complaints !== "") throw new Finding("nothing is printed", complaints.slice(0, 2_000));
}

async function measure(server: ServerProcess, steps: Case): Promise<Measured> {
  const bystanderMs = await server.bystanderWaited();
  const sent = steps.flatMap((step) => (step.do === "send" ? step.requests : []));
  const sendsAdminBody = sent.some(({ target }) => target.includes("__admin"));
  if (bystanderMs > (sendsAdminBody ? adminBystanderBound : bystanderBound))
    throw new Finding("a bystander is not delayed", `a call took ${Math.round(bystanderMs)} ms`, bystanderMs);
  const { memory } = server;
  if (memory > memoryBound) throw new Finding("memory is bounded", `${Math.round(memory / 1e6)} MB`);
  return { bystanderMs, memory };
}

import { setTimeout } from "node:timers/promises";
import type { FaultList } from "../../src/generated/types.js";
import type { CaseRecord } from "./case-record.js";
import { Connection } from "./connection.js";
import { Finding } from "./finding.js";
import { HalfSent } from "./half-sent.js";
import { inTime, soon } from "./patience.js";
import { worldPath } from "./render-request.js";
import type { ServerProcess } from "./server-process.js";
import type { OvertakeStep } from "./steps.js";

/** Invariant C: requests are under way, their world is reset or dropped, and nothing of them may show. */
export async function playOvertake(
  step: OvertakeStep,
  server: ServerProcess,
  record: CaseRecord,
): Promise<void> {
  const { count, encoding, by, complete } = step;
  const world = `overtaken-${server.nextTag()}`;
  const isHeld = step.waiting === "held";
  const admin = (method: string, path: string, body?: unknown) =>
    server.ask(method, worldPath(world, `/__admin${path}`), body);
  const begun = Array.from({ length: count }, (_, n) => {
    const body = { user_group_id: `${world}-${n}`, name: world };
    return new HalfSent(server.url, world, "GET", body, { tag: `${world}.${n}`, encoding, expect: !isHeld });
  });
  server.requests += count;
  const completeAll = () => Promise.all(begun.map((half) => half.complete()));
  const events = new Connection(server.url);
  await events.write(`GET ${worldPath(world, "/__admin/events")} HTTP/1.1\r\nHost: localhost\r\n\r\n`);

  const areUnderWay = isHeld ? await hold() : await halfSend();
  if (by === "reset") await admin("POST", "/reset");
  if (by === "drop") await server.ask("DELETE", `/__admin/worlds/${world}`);
  if (by === "drop-all") {
    record.noteChange("*");
    await server.ask("DELETE", "/__admin/worlds");
  }
  if (complete === "after") await completeAll();
  await Promise.all(begun.map((half) => inTime(half.connection.ended, `a request overtaken by ${by}`)));
  if (areUnderWay) await expectNoTrace();
  events.close();

  /** Sends requests that a fault holds. Returns false if another step has dropped the world. */
  async function hold(): Promise<boolean> {
    await admin("POST", "/faults", { hold: true, times: count });
    await Promise.all(begun.map((half) => half.begin()));
    await completeAll();
    for (let tries = 0; tries < 20; tries++) {
      const { faults }: FaultList = (await admin("GET", "/faults")).json;
      if (faults[0]?.fired === count) return true;
      await setTimeout(2);
    }
    return false;
  }

  /** Sends requests except for the rest of their bodies. Returns false if some were rejected. */
  async function halfSend(): Promise<boolean> {
    await Promise.all(begun.map((half) => half.begin()));
    const started = await Promise.all(begun.map((half) => soon(half.isUnderWay())));
    if (complete === "before") await completeAll();
    return started.every((isUnderWay) => isUnderWay === true);
  }

  async function expectNoTrace(): Promise<void> {
    const shown: Record<string, string> = {
      events: events.received.split('{"what":"reset"}')[1] ?? "",
      journal: JSON.stringify((await admin("GET", "/requests")).json),
      groups: JSON.stringify((await admin("GET", "/groups")).json),
    };
    for (const [where, text] of Object.entries(shown)) {
      if (text.includes(`${world}-`))
        throw new Finding("C: nothing of an earlier epoch shows", `${world} shows in its ${where}`);
    }
    const wait = await admin("POST", "/requests/wait", { match: { name: world }, timeoutMs: 1 });
    if (wait.status === 200)
      throw new Finding("C: nothing of an earlier epoch shows", `a wait in ${world} resolved`);
  }
}

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
  const { world, count, encoding, by, complete } = step;
  const mark = `overtaken-${server.nextTag()}`;
  const isHeld = step.waiting === "held";
  const admin = (method: string, path: string, body?: unknown) =>
    server.ask(method, worldPath(world, `/__admin${path}`), body);
  const begun = Array.from({ length: count }, (_, n) => {
    const body = { user_group_id: `${mark}-${n}`, name: mark };
    return new HalfSent(server.url, world, "GET", body, { tag: `${mark}.${n}`, encoding, expect: !isHeld });
  });
  server.requests += count;
  const completeAll = () => Promise.all(begun.map((half) => half.complete()));
  const events = new Connection(server.url);
  await events.write(`GET ${worldPath(world, "/__admin/events")} HTTP/1.1\r\nHost: localhost\r\n\r\n`);

  const areUnderWay = isHeld ? await hold() : await halfSend();
  const scope = by === "drop-all" ? "*" : world;
  const isAlone = record.isQuiet(scope);
  const ended = record.changes(scope);
  if (by === "reset") await admin("POST", "/reset");
  if (by === "drop") await server.ask("DELETE", `/__admin/worlds/${world}`);
  if (by === "drop-all") await server.ask("DELETE", "/__admin/worlds");
  ended();
  if (isAlone) record.restart(scope);
  if (complete === "after") await completeAll();
  await Promise.all(begun.map((half) => inTime(half.connection.ended, `a request overtaken by ${by}`)));
  if (areUnderWay) await expectNoTrace();
  events.close();

  /** Sends requests that a fault holds. Returns false if another step has cleared the fault. */
  async function hold(): Promise<boolean> {
    record.hasFaults = true;
    const ended = record.changes(world);
    const fault = { hold: true, match: { name: mark }, times: count };
    const armed = await admin("POST", "/faults", fault);
    ended();
    await Promise.all(begun.map((half) => half.begin()));
    await completeAll();
    for (let tries = 0; tries < 20; tries++) {
      const { faults }: FaultList = (await admin("GET", "/faults")).json;
      if (faults.find(({ id }) => id === armed.json.id)?.fired === count) return true;
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
    const isQuiet = record.isQuiet(world);
    const shows = async (where: string, show: () => Promise<string>) => {
      if ((await show()).includes(mark))
        throw new Finding("C: nothing of an earlier epoch shows", `${mark} of ${world} shows in ${where}`);
    };
    const text = async (path: string) => JSON.stringify((await admin("GET", path)).json);
    await shows("the journal", () => text("/requests"));
    await shows("the events", async () => events.received.split('{"what":"reset"}')[1] ?? "");
    // A state that is loaded meanwhile may contain the group.
    if (isQuiet) await shows("the groups", () => text("/groups"));
    const wait = await admin("POST", "/requests/wait", { match: { name: mark }, timeoutMs: 1 });
    await shows("a wait", async () => (wait.status === 200 ? mark : ""));
  }
}

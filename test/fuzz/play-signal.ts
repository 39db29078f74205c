import { Connection } from "./connection.js";
import { Finding } from "./finding.js";
import { soon } from "./patience.js";
import { HalfSent } from "./plain-call.js";
import type { ServerProcess } from "./server-process.js";
import type { SignalStep } from "./steps.js";

const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** A second is allowed; the rest is for the process to end and for us to notice. */
const stopBoundMs = 1_500;

/** The server ends, and calls that are under way get their answer. */
export async function playSignal({ signal, halfSent }: SignalStep, server: ServerProcess): Promise<void> {
  await server.dismissBystander();
  const begun = Array.from({ length: halfSent }, (_, n) => {
    const body = { user_group_id: `last-${n}`, name: "Last" };
    return new HalfSent(server.url, "default", "GET", body, { call: `${server.nextCall()}`, expect: true });
  });
  server.calls += halfSent;
  await Promise.all(begun.map((half) => half.begin()));
  const underWay = await Promise.all(begun.map((half) => soon(half.isUnderWay())));
  const ending = server.signal(signal);
  let isOver = false;
  void ending.then(() => {
    isOver = true;
  });
  // It has begun to stop when nobody gets in any more.
  while (!isOver && !(await isRefused(server.url)));
  await Promise.all(begun.map((half) => half.complete()));
  const { code, ms } = await ending;
  if (code !== codes[signal]) throw new Finding("it stays alive", `it ended with ${code} on ${signal}`);
  if (ms > stopBoundMs) throw new Finding("it stops within a second", `it took ${Math.round(ms)} ms`, ms);
  for (const [n, half] of begun.entries()) {
    const answer = await half.answer();
    if (underWay[n] && answer === undefined)
      throw new Finding("it stops within a second", `a call under way got no answer on ${signal}`);
  }
}

async function isRefused(url: string): Promise<boolean> {
  const connection = new Connection(url);
  const isConnected = connection.connected.then(() => true);
  const isIn = await Promise.race([isConnected, connection.ended.then(() => false)]);
  connection.close();
  return !isIn;
}

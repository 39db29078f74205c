import { Connection } from "./connection.js";
import { Finding } from "./finding.js";
import { HalfSent } from "./half-sent.js";
import { soon } from "./patience.js";
import type { ServerProcess } from "./server-process.js";
import type { SignalStep } from "./steps.js";

const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** One second, and some time for the process to exit. */
const stopBoundMs = 1_500;

/** The server ends, and requests under way get their response. */
export async function playSignal({ signal, halfSent }: SignalStep, server: ServerProcess): Promise<void> {
  await server.dismissBystander();
  const begun = Array.from({ length: halfSent }, (_, n) => {
    const body = { user_group_id: `last-${n}`, name: "Last" };
    return new HalfSent(server.url, "default", "GET", body, { tag: `${server.nextTag()}`, expect: true });
  });
  server.requests += halfSent;
  await Promise.all(begun.map((half) => half.begin()));
  const underWay = await Promise.all(begun.map((half) => soon(half.isUnderWay())));
  const ending = server.signal(signal);
  let isOver = false;
  void ending.then(() => {
    isOver = true;
  });
  // The server is stopping once it rejects new connections.
  while (!isOver && !(await isRefused(server.url)));
  await Promise.all(begun.map((half) => half.complete()));
  const { code, ms } = await ending;
  if (code !== codes[signal])
    throw new Finding("the server stays alive", `it exited with ${code} on ${signal}`);
  if (ms > stopBoundMs)
    throw new Finding("the server stops within a second", `it took ${Math.round(ms)} ms`, ms);
  for (const [n, half] of begun.entries()) {
    const response = await half.response();
    if (underWay[n] && response === undefined)
      throw new Finding(
        "the server stops within a second",
        `a request under way got no response on ${signal}`,
      );
  }
}

async function isRefused(url: string): Promise<boolean> {
  const connection = new Connection(url);
  const isConnected = connection.connected.then(() => true);
  const isIn = await Promise.race([isConnected, connection.ended.then(() => false)]);
  connection.close();
  return !isIn;
}

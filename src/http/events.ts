import type { IncomingMessage, ServerResponse } from "node:http";
import type { WorldEvent } from "../world/events.js";
import type { Entry } from "../world/journal.js";
import type { World } from "../world/world.js";

/** A reader that lags so far behind is cut off; it comes back and resumes from the journal. */
const maxUnread = 4_000_000;

/**
 * Server-sent events: every journal entry, fault and change of a world as it happens. The id of an entry is
 * `<epoch>-<how many were answered by then>`: with it as Last-Event-ID, the stream resumes where it broke off.
 */
export function streamEvents(world: World, req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    Connection: "close",
  });
  // What a reader has missed is written at once, and may be more; it is what comes then that it has to keep up with.
  let mostUnread = Number.POSITIVE_INFINITY;
  const tell = (name: string, data: unknown, id = "") => {
    res.write(`${id}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    if (res.writableLength > mostUnread) res.destroy();
  };
  const tellEntry = (entry: Entry) =>
    tell("request", world.show(entry), `id: ${world.epoch.id}-${entry.answeredAs}\n`);
  const tellEvent = (event: WorldEvent) => {
    if (event.type === "request") tellEntry(event.entry);
    else if (event.type === "fault") tell(event.type, event.fault);
    else tell(event.type, { what: event.what });
  };
  res.write(": the events of this world\n\n");
  const [, epoch, last] = /^(\w+)-(\d+)$/.exec(String(req.headers["last-event-id"] ?? "")) ?? [];
  if (epoch !== undefined) {
    const sameLife = epoch === world.epoch.id;
    if (!sameLife) tell("change", { what: "reset" });
    [...world.epoch.journal]
      .filter(({ answeredAs }) => answeredAs > (sameLife ? Number(last) : 0))
      .sort((a, b) => a.answeredAs - b.answeredAs)
      .forEach(tellEntry);
  }
  mostUnread = res.writableLength + maxUnread;
  const leave = world.events.listen({ tell: tellEvent, end: () => res.end() });
  res.once("close", leave);
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { WorldEvent } from "../world/events.js";
import type { Entry } from "../world/journal.js";
import type { World } from "../world/world.js";

/** A reader that lags so far behind is cut off; it comes back and resumes from the journal. */
const maxUnread = 4_000_000;

/**
 * Server-sent events: every journal entry, fault and change of a world as it happens. The id of an entry is
 * `<life>-<entry>`: with it as Last-Event-ID, the stream resumes where it broke off.
 */
export function streamEvents(world: World, req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    Connection: "close",
  });
  const tell = (name: string, data: unknown, id = "") => {
    res.write(`${id}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    if (res.writableLength > maxUnread) res.destroy();
  };
  const tellEntry = (entry: Entry) => tell("request", world.show(entry), `id: ${world.lives}-${entry.id}\n`);
  const tellEvent = (event: WorldEvent) => {
    if (event.type === "request") tellEntry(event.entry);
    else if (event.type === "fault") tell("fault", event.fault);
    else tell("change", { what: event.what });
  };
  res.write(": the events of this world\n\n");
  const [life, last] = String(req.headers["last-event-id"] ?? "")
    .split("-")
    .map(Number);
  if (life !== undefined && last !== undefined) {
    const sameLife = life === world.lives;
    if (!sameLife) tell("change", { what: "reset" });
    for (const entry of world.life.journal) {
      if (entry.outcome !== "pending" && (!sameLife || entry.id > last)) tellEntry(entry);
    }
  }
  const leave = world.events.listen({ tell: tellEvent, end: () => res.end() });
  res.once("close", leave);
}

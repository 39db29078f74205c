import type { RequestHandler } from "express";
import type { WorldEvent } from "../world/events.js";
import type { Entry } from "../world/journal/journal.js";
import { showEntry } from "../world/journal/show-entry.js";
import type { Worlds } from "../world/worlds.js";

/** A reader that is this many bytes behind is disconnected. It reconnects and resumes from the journal. */
const maxUnread = 8_000_000;

/**
 * Server-sent events: every journal entry, fault and change of a world as it happens. The id of an entry is
 * `<epoch>-<completion order>`. With it as Last-Event-ID, the stream resumes where it ended.
 */
export function streamEvents(worlds: Worlds): RequestHandler {
  return (req, res) => {
    const { name } = res.locals.world;
    // The first request after this one may create the world.
    const currentEpoch = () => worlds.find(name).epoch;
    res.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-store",
      Connection: "close",
    });
    // The entries that a reader missed are written at once and do not count: only what comes later does.
    let unreadLimit = Number.POSITIVE_INFINITY;
    const send = (name: string, data: unknown, id = "") => {
      res.write(`${id}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      if (res.writableLength > unreadLimit) res.destroy();
    };
    const sendEntry = (entry: Entry) =>
      send("request", showEntry(entry), `id: ${currentEpoch().id}-${entry.completionOrder}\n`);
    const sendEvent = (event: WorldEvent) => {
      if (event.type === "request") sendEntry(event.entry);
      else if (event.type === "fault") send(event.type, event.fault);
      else send(event.type, { what: event.what });
    };
    res.write(": the events of this world\n\n");
    const [, epoch, last] = /^(\w+)-(\d+)$/.exec(String(req.headers["last-event-id"] ?? "")) ?? [];
    if (epoch !== undefined) {
      const { id, journal } = currentEpoch();
      const isSameEpoch = epoch === id;
      if (!isSameEpoch) send("change", { what: "reset" });
      [...journal]
        .filter(({ completionOrder }) => completionOrder > (isSameEpoch ? Number(last) : 0))
        .sort((a, b) => a.completionOrder - b.completionOrder)
        .forEach(sendEntry);
    }
    unreadLimit = res.writableLength + maxUnread;
    const leave = worlds.eventsOf(name).listen({ notify: sendEvent, end: () => res.end() });
    res.once("close", leave);
  };
}

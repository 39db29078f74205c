import type { RequestHandler } from "express";
import { showEntry } from "../world/journal/show-entry.js";
import type { Worlds } from "../world/worlds.js";

/** A reader that is this many bytes behind is disconnected. The journal has what it missed. */
const maxUnread = 8_000_000;

/** Server-sent events: every journal entry, fault and change of a world as it happens. */
export function streamEvents(worlds: Worlds): RequestHandler {
  return (req, res) => {
    res.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-store",
      Connection: "close",
    });
    if (req.method === "HEAD") return void res.end();
    const send = (name: string, data: unknown) => {
      res.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      if (res.writableLength > maxUnread) res.destroy();
    };
    res.write(": the events of this world\n\n");
    const leave = worlds.eventsOf(res.locals.world.name).listen({
      notify: (event) => {
        if (event.type === "request") send(event.type, showEntry(event.entry));
        else if (event.type === "fault") send(event.type, event.fault);
        else send(event.type, { what: event.what });
      },
      end: () => res.end(),
    });
    res.once("close", leave);
  };
}

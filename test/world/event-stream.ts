import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { Fault, JournalEntry } from "../../src/generated/types.js";

export type StreamedEvent =
  | { readonly event: "request"; readonly data: JournalEntry }
  | { readonly event: "fault"; readonly data: Fault }
  | { readonly event: "change"; readonly data: { readonly what: string } };

export interface EventStream {
  readonly headers: NodeJS.Dict<string | string[]>;
  /** The next event. Rejects if the stream ends first. */
  next(): Promise<StreamedEvent>;
  /** Resolves once the stream has ended: whether it was complete or cut off. */
  readonly ended: Promise<"whole" | "cut">;
  close(): void;
}

/** Resolves once the mock has begun to stream the events of the world at `url`. */
export async function openEvents(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const req = request(`${url}/__admin/events`, { agent: false, headers }).end();
  const [res] = (await once(req, "response")) as [IncomingMessage];
  if (res.statusCode !== 200) throw new Error(`There is no stream: ${res.statusCode}`);
  res.setEncoding("utf8");
  const arrived: StreamedEvent[] = [];
  let unread = "";
  let wake = () => {};
  let hasEnded = false;
  const begun = new Promise<void>((resolve) => {
    res.on("data", (text: string) => {
      const blocks = `${unread}${text}`.split("\n\n");
      unread = blocks.pop() ?? "";
      arrived.push(...blocks.filter((block) => !block.startsWith(":")).map(parse));
      resolve();
      wake();
    });
  });
  const ended = new Promise<"whole" | "cut">((resolve) => {
    // A stream that is cut off emits an error before it closes.
    res.on("error", () => {});
    res.on("close", () => {
      hasEnded = true;
      resolve(res.complete ? "whole" : "cut");
      wake();
    });
  });
  await begun;
  return {
    headers: res.headers,
    ended,
    close: () => req.destroy(),
    async next() {
      for (;;) {
        const event = arrived.shift();
        if (event !== undefined) return event;
        if (hasEnded) throw new Error("the stream has ended");
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

function parse(block: string): StreamedEvent {
  const lines = block.split("\n").map((line) => /^(\w+): (.*)$/.exec(line) ?? []);
  const field = (wanted: string) => lines.find(([, name]) => name === wanted)?.[2];
  return {
    event: field("event"),
    data: JSON.parse(field("data") ?? "null"),
  } as StreamedEvent;
}

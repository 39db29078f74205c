import type { Delivery, Har, JournalEntry } from "../../generated/types.js";
import type { RecordedEpoch } from "./history.js";
import type { Entry } from "./journal.js";
import { showEntry } from "./show-entry.js";

/** The journal as HTTP Archive 1.2. Requests without a response have status 0 and `_error`, as browsers write it. */
export function harOf({ journal, isListed }: RecordedEpoch, baseUrl: string, version: string): Har {
  return {
    log: {
      version: "1.2",
      creator: { name: "usergroup-mock", version },
      entries: [...journal].map((entry) => harEntry(entry, showEntry(entry, isListed), baseUrl)),
    },
  };
}

function harEntry(entry: Entry, shown: JournalEntry, baseUrl: string) {
  const { id, at, request, durationMs, notes } = shown;
  // OPTIONS * has no path.
  const url = new URL(`${baseUrl}${request.path.startsWith("/") ? "" : "/"}${request.path}`);
  const { text: sent } = entry;
  const time = durationMs ?? entry.elapsedMs;
  const receive = Math.min(entry.delivered?.receiveMs ?? 0, time);
  const timings = { send: 0, wait: time - receive, receive };
  return {
    startedDateTime: at,
    time: timings.send + timings.wait + timings.receive,
    request: {
      method: request.method,
      url: url.href,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairs(request.headers),
      queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: Buffer.byteLength(sent ?? ""),
      ...(sent !== undefined && {
        postData: { mimeType: request.headers["content-type"] ?? "application/json", text: sent },
      }),
    },
    response: harResponse(entry, shown),
    cache: {},
    timings,
    comment: [`request ${id}`, ...notes].join("; "),
  };
}

function harResponse(entry: Entry, { response }: JournalEntry) {
  const { sentText: text = "" } = entry;
  const error = errorOf(entry);
  return {
    status: response?.status ?? 0,
    statusText: "",
    httpVersion: response === null ? "" : "HTTP/1.1",
    cookies: [],
    headers: pairs(response?.headers ?? {}),
    content: {
      size: Buffer.byteLength(text),
      mimeType: response?.headers["content-type"] ?? "x-unknown",
      text,
    },
    redirectURL: "",
    headersSize: -1,
    bodySize: response === null ? -1 : Buffer.byteLength(text),
    ...(error !== undefined && { _error: error }),
  };
}

/** The errors of Chromium, by delivery. */
const errors = {
  complete: undefined,
  cut: "net::ERR_CONTENT_LENGTH_MISMATCH",
  "caller-left": "net::ERR_ABORTED",
  none: "net::ERR_EMPTY_RESPONSE",
} as const satisfies Record<Delivery, string | undefined>;

function errorOf({ delivered, reply }: Entry): string | undefined {
  if (delivered === undefined) return "pending";
  const isReset = delivered.delivery === "none" && reply?.fault === "reset";
  return isReset ? "net::ERR_CONNECTION_RESET" : errors[delivered.delivery];
}

function pairs(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

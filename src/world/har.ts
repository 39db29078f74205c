import type { Har, JournalEntry } from "../contract/types.js";

/** The journal as HTTP Archive 1.2. Calls without an answer are left out. */
export function harOf(entries: readonly JournalEntry[], baseUrl: string, version: string): Har {
  return {
    log: {
      version: "1.2",
      creator: { name: "usergroup-mock", version },
      entries: entries.flatMap((entry) =>
        entry.response === null ? [] : [harEntry(entry, entry.response, baseUrl)],
      ),
    },
  };
}

function harEntry(
  { id, at, request, durationMs, notes }: JournalEntry,
  response: NonNullable<JournalEntry["response"]>,
  baseUrl: string,
) {
  // OPTIONS * names no path.
  const url = new URL(`${baseUrl}${request.path.startsWith("/") ? "" : "/"}${request.path}`);
  const sent = request.body === null ? undefined : bodyText(request.body);
  const answered = response.body === null ? "" : bodyText(response.body);
  const time = durationMs ?? 0;
  return {
    startedDateTime: at,
    time,
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
    response: {
      status: response.status,
      statusText: "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairs(response.headers),
      content: {
        size: Buffer.byteLength(answered),
        mimeType: response.headers["content-type"] ?? "application/json",
        text: answered,
      },
      redirectURL: "",
      headersSize: -1,
      bodySize: Buffer.byteLength(answered),
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    comment: [`request ${id}`, ...notes].join("; "),
  };
}

function pairs(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function bodyText(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

import { request as httpRequest, type IncomingHttpHeaders } from "node:http";

export interface Exchange {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly text?: string | undefined;
  /** Rejects if the server sends nothing for this long. */
  readonly timeoutMs?: number;
  readonly abort?: AbortSignal | undefined;
  /** Sent as it is, instead of the path of the URL. */
  readonly path?: string;
  /** For a server in this process, or if nothing secret is sent. */
  readonly acceptAnyCertificate?: boolean;
}

/**
 * Sends one HTTP request on a connection of its own: no connection stays open, and none is stale after a restart of the
 * server. Not with `fetch`, which cannot send a GET with a body.
 */
export async function exchange(
  url: URL,
  { method, headers, text, timeoutMs = 0, abort, path, acceptAnyCertificate }: Exchange,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  const request = url.protocol === "https:" ? (await import("node:https")).request : httpRequest;
  return new Promise((resolve, reject) => {
    const optional = { ...(path !== undefined && { path }), ...(abort && { signal: abort }) };
    const rejectUnauthorized = acceptAnyCertificate !== true;
    const options = { method, headers, agent: false, rejectUnauthorized, ...optional };
    const req = request(url, options, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("end", () => {
        const { statusCode: status = 0, headers } = res;
        resolve({ status, headers, text: Buffer.concat(chunks).toString() });
      });
      res.on("error", reject);
    });
    req.setTimeout(timeoutMs, () => {
      req.destroy(new Error(`no response within ${Math.ceil(timeoutMs / 1000)} s`));
    });
    req.on("error", reject);
    req.end(text);
  });
}

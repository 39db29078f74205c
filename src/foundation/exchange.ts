import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { clearTimeout, setTimeout } from "./clock.js";

export interface Exchange {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly text?: string | undefined;
  /** Rejects if the whole response has not arrived after this time. */
  readonly timeoutMs: number;
  /** If nothing secret is sent. */
  readonly acceptAnyCertificate?: boolean;
}

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends one HTTP request on a connection of its own: no connection stays open, and none is stale after a restart of the
 * server. Not with `fetch`, which cannot send a GET with a body.
 */
export async function exchange(
  url: URL,
  { method, headers, text, timeoutMs, acceptAnyCertificate }: Exchange,
): Promise<Received> {
  const request = url.protocol === "https:" ? (await import("node:https")).request : httpRequest;
  let timer: NodeJS.Timeout | undefined;
  const exchanged = new Promise<Received>((resolve, reject) => {
    const rejectUnauthorized = acceptAnyCertificate !== true;
    const options = { method, headers, agent: false, rejectUnauthorized };
    const req = request(url, options, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("end", () => {
        const { statusCode: status = 0, headers } = res;
        resolve({ status, headers, text: Buffer.concat(chunks).toString() });
      });
      res.on("error", reject);
    });
    // A timeout of the request would begin again with every byte.
    timer = setTimeout(() => {
      reject(new Error(`no complete response within ${Math.ceil(timeoutMs / 1000)} s`));
      req.destroy();
    }, timeoutMs);
    req.on("error", reject);
    req.end(text);
  });
  return exchanged.finally(() => clearTimeout(timer));
}

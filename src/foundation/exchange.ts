import { request as httpRequest, type IncomingHttpHeaders } from "node:http";

export interface Exchange {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly text?: string | undefined;
  /** Rejects when the answer is longer than this. */
  readonly maxBytes: number;
  /** Rejects when the server sends nothing for so long. */
  readonly silentMs?: number;
  /** Rejects when the whole exchange takes longer. */
  readonly timeoutMs?: number;
  /** Rejects when it is aborted. */
  readonly abort?: AbortSignal | undefined;
  /** Asked for as it is, instead of the path of the URL. */
  readonly path?: string;
  /** For a server that is this process, or when nothing secret is sent. */
  readonly acceptAnyCertificate?: boolean;
}

/**
 * One HTTP call on a connection of its own: none is left open, and none is stale when the server was restarted.
 * Not `fetch`, which cannot send a GET with a body.
 */
export async function exchange(
  url: URL,
  {
    method,
    headers,
    text,
    maxBytes,
    silentMs,
    timeoutMs,
    abort,
    path,
    acceptAnyCertificate = false,
  }: Exchange,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  const request = url.protocol === "https:" ? (await import("node:https")).request : httpRequest;
  return new Promise((resolve, reject) => {
    const signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(Math.ceil(timeoutMs));
    const options = {
      method,
      headers,
      agent: false,
      rejectUnauthorized: !acceptAnyCertificate,
      ...(path !== undefined && { path }),
      ...(signal && { signal }),
    };
    const req = request(url, options, (res) => {
      const chunks: Buffer[] = [];
      let length = 0;
      res.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > maxBytes) req.destroy(new Error(`the answer is longer than ${maxBytes} bytes`));
      });
      res.on("end", () => {
        const { statusCode: status = 0, headers } = res;
        resolve({ status, headers, text: Buffer.concat(chunks).toString() });
      });
      res.on("error", reject);
    });
    req.on("error", (error) => {
      const late = `no answer within ${Math.ceil((timeoutMs ?? 0) / 1000)} s`;
      reject(signal?.aborted ? new Error(late) : error);
    });
    req.setTimeout(silentMs ?? 0, () =>
      req.destroy(new Error(`it took the call, and was silent for ${(silentMs ?? 0) / 1000} s`)),
    );
    // Not AbortSignal.any: some versions of Node collect the timeout in it before it fires.
    const destroy = () => req.destroy(new Error("the call was aborted"));
    abort?.addEventListener("abort", destroy);
    req.on("close", () => abort?.removeEventListener("abort", destroy));
    if (abort?.aborted) destroy();
    else req.end(text);
  });
}

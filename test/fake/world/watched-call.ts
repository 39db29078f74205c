import { type Agent, request } from "node:http";

/** What a client saw of a request, whether it got a response or not. */
export interface Watched {
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
  readonly ms: number;
  /** The message of the error that the client got, if any. */
  readonly error: string | undefined;
}

export const watchCreate = (url: string, id: string, agent?: Agent) =>
  watchCall("GET", url, { user_group_id: id, name: id }, agent);

export const watchRotate = (url: string, token: string, agent?: Agent) =>
  watchCall("POST", url, { current_token: token }, agent);

/** A request to the service that never rejects. */
function watchCall(method: string, url: string, body: unknown, agent?: Agent): Promise<Watched> {
  const sent = JSON.stringify(body);
  const headers = {
    Authorization: "Token test-api-token",
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(sent),
  };
  const began = performance.now();
  return new Promise((resolve) => {
    let seen = { status: undefined as number | undefined, headers: {}, text: "" };
    const finish = (error?: Error) =>
      resolve({ ...seen, ms: performance.now() - began, error: error?.message });
    const req = request(`${url}/api/user`, { method, headers, agent: agent ?? false }, (res) => {
      seen = { ...seen, status: res.statusCode, headers: res.headers };
      res.setEncoding("utf8");
      res.on("data", (part: string) => {
        seen = { ...seen, text: seen.text + part };
      });
      res.on("error", finish);
      res.on("end", () => finish());
    });
    req.on("error", finish);
    req.end(sent);
  });
}

/** A rotation whose client can disconnect before it has a response. */
export function sendRotation(url: string, token: string): { disconnect(): Promise<void> } {
  const client = new AbortController();
  const ended = fetch(`${url}/api/user`, {
    method: "POST",
    signal: client.signal,
    body: JSON.stringify({ current_token: token }),
    headers: { Authorization: "Token test-api-token", "Content-Type": "application/json" },
  }).then(
    () => {},
    () => {},
  );
  return {
    async disconnect() {
      client.abort();
      await ended;
    },
  };
}

import { once } from "node:events";
import { STATUS_CODES } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Ends a request without a response of the service. */
export type Failure = (caller: Socket) => void;

/** A response of a proxy or of an overloaded service. */
export function responding(status: number, body = '{"success":0}', retryAfter?: string): Failure {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${body.startsWith("<") ? "text/html" : "application/json"}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
  ];
  return (caller) => caller.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** Sends a response that never ends, byte by byte. */
function dribble(caller: Socket): void {
  caller.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
  const timer = setInterval(() => caller.write(" "), 50);
  caller.on("close", () => clearInterval(timer));
}

export interface Disturbance {
  readonly fail: Failure;
  /** The request takes effect before it fails. Otherwise it does not reach the service. */
  readonly isLost: boolean;
}

export const failures = {
  "429": { fail: responding(429), isLost: false },
  "502 with HTML": { fail: responding(502, "<h1>Bad Gateway</h1>"), isLost: true },
  "503": { fail: responding(503), isLost: false },
  reset: { fail: (caller: Socket) => caller.resetAndDestroy(), isLost: true },
  silent: { fail: () => {}, isLost: true },
  "slow bytes": { fail: dribble, isLost: true },
} as const satisfies Record<string, Disturbance>;

export type FailureName = keyof typeof failures;
export const failureNames = Object.keys(failures) as FailureName[];

export interface FailingProxy extends AsyncDisposable {
  readonly url: string;
  /** How many requests have arrived so far. */
  readonly requests: () => number;
}

/**
 * A proxy in front of a service. `disturb` gets the number of each request, from 1, and may make it fail, by default
 * before it reaches the service. verify opens a connection for each request, so connections are counted.
 */
export async function failingProxy(
  target: string,
  disturb: (request: number) => Failure | Disturbance | undefined,
): Promise<FailingProxy> {
  const { hostname, port, pathname } = new URL(target);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on("close", () => sockets.delete(socket)).on("error", () => {});
  };
  let requests = 0;
  const server = createServer((caller) => {
    keep(caller);
    const found = disturb(++requests);
    const disturbance = typeof found === "function" ? { fail: found, isLost: false } : found;
    if (disturbance?.isLost === false) {
      caller.once("data", () => disturbance.fail(caller)).resume();
      return;
    }
    const service = keep(connect(Number(port), hostname));
    caller.pipe(service);
    if (disturbance === undefined) {
      service.pipe(caller);
      return;
    }
    service.once("data", () => {
      service.destroy();
      caller.resume();
      disturbance.fail(caller);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname.replace(/\/$/, "")}`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

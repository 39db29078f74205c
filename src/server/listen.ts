import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate } from "../foundation/clock.js";
import type { Settings } from "../options/resolve-options.js";
import { urlAt } from "./address.js";
import { Connections } from "./connections.js";
import type { RejectedRequest } from "./guard.js";
import type { RequestClasses } from "./request-classes.js";

export interface ListenOptions extends Pick<Settings, "host" | "port" | "tls"> {
  /** The classes of requests and responses. */
  readonly classes?: RequestClasses;
  /** Called with what is not a request. */
  readonly rejected?: ((request: RejectedRequest) => void) | undefined;
  /** Overrides for tests. */
  readonly limits?: Partial<Limits> | undefined;
}

/** Timeouts in milliseconds, as Node names them. */
export const defaultLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Node checks every 30 s by default, so 10 s could become 40.
  connectionsCheckingInterval: 1_000,
  // Never: closing an idle connection just as a client uses it again makes tests flaky.
  keepAliveTimeout: 0,
};

export type Limits = Readonly<typeof defaultLimits>;

export interface Listening {
  readonly url: string;
  /** Requests in flight get their response, everything else is closed, all within a second. */
  stop(): Promise<void>;
  /** Lets the process end while the server listens. */
  unref(): void;
}

export async function listen(
  handle: RequestListener,
  { classes, host, port, tls, limits, rejected }: ListenOptions,
): Promise<Listening> {
  const settings = { ...defaultLimits, ...limits, ...classes, ...tls };
  const server: Server = tls ? (await import("node:https")).createServer(settings) : createServer(settings);
  // Node 20 drops headers beyond a count silently. Their size is limited to 16 kB anyway.
  server.maxHeadersCount = 0;
  const connections = new Connections(server, handle, rejected);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
    server.listen({ port, host }, resolve);
  });
  const { port: actualPort } = server.address() as AddressInfo;
  let stopped: Promise<void> | undefined;
  return {
    url: urlAt(host, actualPort, tls !== undefined),
    stop: () => (stopped ??= stop()),
    unref: () => void server.unref().on("connection", (socket: Socket) => socket.unref()),
  };

  async function stop(): Promise<void> {
    await connections.stop();
    // A keep-alive client in the same process notices closed connections two turns later. Until then it would use
    // them for requests to the next server on this port: 25 of 50 such requests failed.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const otherAddress = `${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all addresses.`;
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is in use. Use --port 0 or the option port: 0 for a free port.`,
    EACCES: `This user is not allowed to use port ${port}. Use a port above 1023.`,
    EADDRNOTAVAIL: otherAddress,
    ENOTFOUND: otherAddress,
  };
  error.message = messages[error.code ?? ""] ?? error.message;
  return error;
}

import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** Any HTTP server. `await using` stops it, and throws what `handle` has thrown. */
export interface PlainServer extends AsyncDisposable {
  readonly url: string;
}

export async function plainServer(
  handle: (...args: Parameters<RequestListener>) => unknown,
): Promise<PlainServer> {
  const thrown: unknown[] = [];
  const server = createServer(async (req, res) => {
    try {
      await handle(req, res);
    } catch (error) {
      thrown.push(error);
      req.socket.destroy();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      if (thrown.length > 0) throw thrown[0];
    },
  };
}

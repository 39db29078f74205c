import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The bytes of one connection. */
export interface Tapped {
  /** From the client to the mock. */
  readonly sent: Buffer;
  /** From the mock to the client. */
  readonly received: Buffer;
  /** How the connection to the mock ended. */
  readonly error: string | undefined;
}

export interface Tap extends AsyncDisposable {
  /** A base URL in front of the mock. */
  readonly url: string;
  /** The bytes of each connection, in the order in which they were opened, once all have ended. */
  all(): Promise<Tapped[]>;
}

/** A proxy between clients and a mock that keeps a copy of every byte. */
export async function tap(mockUrl: string): Promise<Tap> {
  const { hostname, port } = new URL(mockUrl);
  const connections: Promise<Tapped>[] = [];
  const server = createServer({ allowHalfOpen: true }, (client) => {
    connections.push(pass(client, connect({ host: hostname, port: Number(port), allowHalfOpen: true })));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    all: () => Promise.all(connections),
    async [Symbol.asyncDispose]() {
      server.close();
      await Promise.all(connections);
    },
  };
}

function pass(client: Socket, mock: Socket): Promise<Tapped> {
  const sent: Buffer[] = [];
  const received: Buffer[] = [];
  let error: string | undefined;
  client.on("data", (bytes) => {
    sent.push(bytes);
    mock.write(bytes);
  });
  mock.on("data", (bytes) => {
    received.push(bytes);
    if (client.writable) client.write(bytes);
  });
  // A disconnect ends only the side of the client, so that what the mock has sent is still read.
  client.on("error", () => mock.end());
  client.on("close", () => mock.end());
  client.on("end", () => mock.end());
  mock.on("end", () => {
    mock.end();
    client.end();
  });
  return new Promise((resolve) => {
    mock.on("error", (met: NodeJS.ErrnoException) => {
      error = met.code;
    });
    mock.on("close", () => {
      if (error === undefined) client.end();
      else client.resetAndDestroy();
      resolve({ sent: Buffer.concat(sent), received: Buffer.concat(received), error });
    });
  });
}

import { once } from "node:events";
import { createServer } from "node:net";

/** A free port, of those that no system gives for port 0: otherwise another test could get it meanwhile. */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch {
    return freePort();
  }
  await new Promise((resolve) => server.close(resolve));
  return port;
}

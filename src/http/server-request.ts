import type { IncomingMessage } from "node:http";

/** A request as Node's server hands it over: it has read the first line, so method and target are there. */
export interface ServerRequest extends IncomingMessage {
  method: string;
  url: string;
}

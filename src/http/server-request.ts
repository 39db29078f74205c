import type { IncomingMessage } from "node:http";

/** A request as Node's server hands it over: the first line has been read, so that both are there. */
export interface ServerRequest extends IncomingMessage {
  method: string;
  url: string;
}

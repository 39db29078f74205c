import { gzipSync } from "node:zlib";
import { parseJson } from "../../src/foundation/json.js";
import { Connection, type Received } from "./connection.js";
import { tagHeader, worldPath } from "./render-request.js";

/** A valid request whose last byte is not sent yet. */
export class HalfSent {
  readonly connection: Connection;
  readonly #head: string;
  readonly #body: Buffer;

  constructor(
    url: string,
    world: string,
    method: "GET" | "POST",
    body: object,
    options: { readonly tag: string; readonly encoding?: "identity" | "gzip"; readonly expect?: boolean },
  ) {
    const { tag, encoding = "identity", expect = false } = options;
    const text = JSON.stringify(body);
    this.#body = encoding === "gzip" ? gzipSync(text) : Buffer.from(text);
    this.#head = [
      `${method} ${worldPath(world, "/api/user")} HTTP/1.1`,
      "Host: localhost",
      "Authorization: Token test-api-token",
      "Content-Type: application/json",
      `Content-Encoding: ${encoding}`,
      `Content-Length: ${this.#body.length}`,
      `${tagHeader}: ${tag}`,
      ...(expect ? ["Expect: 100-continue"] : []),
      "Connection: close\r\n\r\n",
    ].join("\r\n");
    this.connection = new Connection(url);
  }

  /** Sends all but the last byte. */
  begin(): Promise<void> {
    const most = this.#body.subarray(0, -1);
    return this.connection.write(Buffer.concat([Buffer.from(this.#head), most]));
  }

  /** Whether the server has asked for the body. */
  isUnderWay(): Promise<boolean> {
    return this.connection.receives("HTTP/1.1 100 ");
  }

  complete(): Promise<void> {
    return this.connection.write(this.#body.subarray(-1));
  }

  /** The response, if there is one. */
  // biome-ignore lint/suspicious/noExplicitAny: JSON of every shape.
  async response(): Promise<(Received & { readonly json: any }) | undefined> {
    await this.connection.ended;
    const [response] = this.connection.responses(["GET"]);
    return response && { ...response, json: parseJson(response.body) };
  }
}

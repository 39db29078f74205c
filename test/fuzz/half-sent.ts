import { parseJson } from "../../src/foundation/json.js";
import { Connection, type Received } from "./connection.js";
import { renderRequest } from "./render-request.js";
import type { RequestParts } from "./steps.js";

/** A valid request to the service whose last byte is not sent yet. */
export class HalfSent {
  readonly connection: Connection;
  readonly #bytes: Buffer;

  constructor(
    url: string,
    world: string,
    method: "GET" | "POST",
    body: object,
    options: { readonly tag: string; readonly encoding?: "identity" | "gzip"; readonly expect?: boolean },
  ) {
    const { tag, encoding = "identity", expect = false } = options;
    const whole: RequestParts = {
      ...{ method, target: "/api/user", version: "HTTP/1.1", encoding },
      framing: "length",
      headers: expect ? [["Expect", "100-continue"]] : [],
      body: { text: JSON.stringify(body) },
    };
    this.#bytes = renderRequest(whole, world, tag, true);
    this.connection = new Connection(url);
  }

  /** Sends all but the last byte. */
  begin(): Promise<void> {
    return this.connection.write(this.#bytes.subarray(0, -1));
  }

  /** Whether the server has asked for the body. */
  isUnderWay(): Promise<boolean> {
    return this.connection.receives("HTTP/1.1 100 ");
  }

  complete(): Promise<void> {
    return this.connection.write(this.#bytes.subarray(-1));
  }

  /** The response, if there is one. */
  // biome-ignore lint/suspicious/noExplicitAny: JSON of every shape.
  async response(): Promise<(Received & { readonly json: any }) | undefined> {
    await this.connection.ended;
    const [response] = this.connection.responses(["GET"]);
    return response && { ...response, json: parseJson(response.body) };
  }
}

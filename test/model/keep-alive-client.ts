import { Agent, request } from "node:http";
import { afterAll } from "vitest";
import type { TestResponse } from "../call.js";

/** Keeps connections open: thousands of runs would use up the ports of the machine. */
export class KeepAliveClient implements Disposable {
  readonly #agent = new Agent({ keepAlive: true });

  call(method: string, url: string, body?: unknown, apiToken?: string): Promise<TestResponse> {
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = {
      ...(apiToken !== undefined && { Authorization: `Token ${apiToken}` }),
      ...(body !== undefined && {
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(text),
      }),
    };
    return new Promise((resolve, reject) => {
      const req = request(url, { method, headers, agent: this.#agent }, (res) => {
        let received = "";
        res.setEncoding("utf8");
        res.on("data", (part: string) => {
          received += part;
        });
        res.on("error", reject);
        res.on("end", () =>
          resolve({ status: res.statusCode ?? 0, headers: res.headers, body: JSON.parse(received) }),
        );
      });
      req.on("error", reject);
      req.end(text);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** A client of the suite that calls this. */
export function ownClient(): KeepAliveClient {
  const client = new KeepAliveClient();
  afterAll(() => client[Symbol.dispose]());
  return client;
}

import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/index.js";
import { usualPatience } from "../../../src/lab/verify/service/retries.js";
import { verifyService } from "../../../src/lab/verify/verify-service.js";
import { certificate } from "../../certificate.js";
import { rejectionOf } from "../../fake/world/rejection.js";
import { plainServer } from "./plain-server.js";

function verify({ url }: { readonly url: string }, timeoutMs = usualPatience.timeoutMs) {
  const patience = { ...usualPatience, timeoutMs, backoffMs: 1 };
  return verifyService({ baseUrl: url, apiToken: "secret" }, { patience });
}

describe("verify against another server", () => {
  const responding =
    (status: number, type: string, body: string): RequestListener =>
    (req, res) => {
      req.resume();
      res.writeHead(status, { "Content-Type": type }).end(body);
    };
  const json = (status: number, body: unknown) =>
    responding(status, "application/json", JSON.stringify(body));

  it.each([
    ["a page with status 404", responding(404, "text/html", "<h1>Not found</h1>"), 404],
    ["another API", json(200, { id: 7, items: [] }), 200],
    ["a failure of the service", json(401, { success: 0 }), 401],
  ])("suggests to check the URL and the API token: %s", async (_, handle, status) => {
    let requests = 0;
    await using server = await plainServer((req, res) => {
      requests++;
      handle(req, res);
    });
    const { code, message } = await rejectionOf(verify(server));
    expect(requests).toBe(1);
    expect([code, message]).toEqual([
      "unreachable",
      `verify cannot start with ${server.url}: the first request returned status ${status} and no success. Check the URL and the API token, or pass a valid body with --sample.`,
    ]);
  });

  /** The reason of a run that ended because the first request got no usable response. */
  async function unusable(server: { readonly url: string }, timeoutMs?: number): Promise<string> {
    const { code, message } = await rejectionOf(verify(server, timeoutMs));
    expect(code).toBe("unreachable");
    const start = `verify cannot start with ${server.url}: `;
    const end = ", after 4 attempts. Check the URL and the API token, or pass a valid body with --sample.";
    expect([message.slice(0, start.length), message.slice(-end.length)]).toEqual([start, end]);
    return message.slice(start.length, -end.length);
  }

  it.each([
    ["a page", responding(200, "text/html", "<h1>Hello</h1>"), "GET /api/user returned 200 without JSON"],
    ["no body", responding(204, "text/plain", ""), "GET /api/user returned 204 without JSON"],
    ["500", json(500, { success: 0 }), "GET /api/user returned 500"],
    ["an unknown status", responding(599, "text/plain", ""), "GET /api/user returned 599"],
  ])("reports a response that is not usable: %s", async (_, handle, words) => {
    await using server = await plainServer(handle);
    expect(await unusable(server)).toBe(words);
  });

  it("reports that nothing listens there", async () => {
    const server = await plainServer(() => {});
    await server[Symbol.asyncDispose]();
    expect(await unusable(server)).toMatch(/^GET \/api\/user failed: .*ECONNREFUSED/);
  });

  it("rejects an untrusted certificate", async () => {
    const { cert: tlsCert, key: tlsKey } = certificate;
    await using mock = await startMock({ tlsCert, tlsKey });
    expect(await unusable(mock)).toMatch(/self.signed certificate/);
  });

  it("reports that the server closed the connection", async () => {
    let requests = 0;
    await using server = await plainServer((req) => {
      requests++;
      req.socket.destroy();
    });
    expect(await unusable(server)).toBe("GET /api/user failed: socket hang up");
    expect(requests).toBe(4);
  });

  it("reports an incomplete response", async () => {
    await using server = await plainServer((_, res) => {
      res.writeHead(200, { "Content-Length": 100 });
      res.write('{"success": 1', () => res.destroy());
    });
    expect(await unusable(server)).toBe("GET /api/user failed: aborted");
  });

  it.each<[how: string, respond: RequestListener]>([
    ["does not respond", () => {}],
    ["never stops responding", (_, res) => void setInterval(() => res.write(" "), 5).unref()],
  ])("reports that the server %s", async (_, respond) => {
    await using server = await plainServer(respond);
    expect(await unusable(server, 50)).toBe("GET /api/user failed: no complete response within 1 s");
  });
});

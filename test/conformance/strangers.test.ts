import type { RequestListener } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { verifyService } from "../../src/conformance/verify-service.js";
import { refusalOf } from "../world/refusal.js";
import { type PlainServer, plainServer, plainService } from "./plain-service.js";

const verify = ({ url }: PlainServer) => verifyService({ baseUrl: url, apiToken: "secret" });

describe("verify against something else", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const answering =
    (status: number, type: string, body: string): RequestListener =>
    (req, res) => {
      req.resume();
      res.writeHead(status, { "Content-Type": type }).end(body);
    };
  const json = (status: number, body: unknown) => answering(status, "application/json", JSON.stringify(body));

  it.each([
    [
      "a page",
      answering(200, "text/html", "<!doctype html><h1>Hello</h1>"),
      /not a JSON object: .*not the User Group/,
    ],
    [
      "a page that says not found",
      answering(404, "text/html", "<h1>Not found</h1>"),
      /answered 404 .*not a JSON/,
    ],
    ["a list", json(200, [1, 2]), /answered 200 with something that is not a JSON object/],
    ["nothing", answering(204, "text/plain", ""), /answered 204 with something that is not a JSON object/],
    ["another API", json(200, { id: 7, items: [] }), /answered 200 with id, items, .*another API/],
    ["another API without a field", json(404, {}), /answered 404 with nothing, .*another API/],
  ])("says that it is no User Group Service: %s", async (_, handle, words) => {
    await using server = await plainServer(handle);
    const { code, message } = await refusalOf(verify(server));
    expect(code).toBe("not_the_service");
    expect(message).toMatch(words);
    expect(message).toContain(`${server.url}/api/user answered`);
  });

  it.each([
    ["as a failure of the service", json(401, { success: 0 })],
    ["as a framework says it", json(401, { detail: "Invalid token." })],
    ["as a page", answering(401, "text/html", "<h1>Unauthorized</h1>")],
    ["with 403", json(403, { success: 0, message: "Forbidden" })],
  ])("asks about the API token where it is refused: %s", async (_, handle) => {
    await using server = await plainServer(handle);
    const { code, message } = await refusalOf(verify(server));
    expect(message).toContain("Is the API token right?");
    expect(message).not.toContain("secret");
    expect(code).toBe("refused");
  });

  it("asks about token and URL where the first call fails otherwise", async () => {
    await using server = await plainServer(json(500, { success: 0 }));
    const { code, message } = await refusalOf(verify(server));
    expect([code, message]).toEqual([
      "refused",
      `${server.url}/api/user answered 500 and success 0 to the first call. Are the API token and the URL right?`,
    ]);
  });

  it("makes one call, and no more", async () => {
    let calls = 0;
    await using server = await plainServer((req, res) => {
      calls++;
      json(200, { id: 7 })(req, res);
    });
    await refusalOf(verify(server));
    expect(calls).toBe(1);
  });

  it("says that nothing listens there", async () => {
    const server = await plainServer(() => {});
    await server[Symbol.asyncDispose]();
    const { code, message } = await refusalOf(verify(server));
    expect(code).toBe("unreachable");
    expect(message).toMatch(/^A call to http:\/\/127\.0\.0\.1:\d+ failed: .*ECONNREFUSED/);
  });

  it("says that it hangs up", async () => {
    await using server = await plainServer((req) => req.socket.destroy());
    const { code, message } = await refusalOf(verify(server));
    expect(code).toBe("unreachable");
    expect(message).toMatch(/ failed: socket hang up\.$/);
  });

  it("says that its answer broke off", async () => {
    await using server = await plainServer((_, res) => {
      res.writeHead(200, { "Content-Length": 100 });
      res.write('{"success": 1', () => res.destroy());
    });
    const { code, message } = await refusalOf(verify(server));
    expect(code).toBe("unreachable");
    expect(message).toContain(`A call to ${server.url} failed`);
  });

  it("says after ten seconds that it does not answer", async () => {
    const asked: number[] = [];
    const timeout = AbortSignal.timeout;
    // Ten seconds are too long for a test.
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      asked.push(ms);
      return timeout.call(AbortSignal, 20);
    });
    await using server = await plainServer(() => {});
    const { code, message } = await refusalOf(verify(server));
    expect([code, message]).toEqual([
      "unreachable",
      `A call to ${server.url} failed: no answer within 10 s.`,
    ]);
    expect(asked).toEqual([10_000]);
  });

  it("gives up after a minute where every answer is slow", async () => {
    let elapsed = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + elapsed);
    await using server = await plainService((honest) => {
      elapsed += 5_001;
      return honest;
    });
    const { code, message } = await refusalOf(verify(server));
    expect([code, message]).toEqual(["timeout", "The service is too slow: stopped after 60 s."]);
    expect(elapsed).toBe(12 * 5_001);
  });
});

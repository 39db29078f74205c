import type { RequestListener } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { usualPatience } from "../../src/conformance/pace.js";
import { verifyService } from "../../src/conformance/verify-service.js";
import { refusalOf } from "../world/refusal.js";
import { type PlainServer, plainServer, plainService } from "./plain-service.js";

const patience = { ...usualPatience, backoffMs: 1 };
const verify = ({ url }: PlainServer) => verifyService({ baseUrl: url, apiToken: "secret" }, { patience });

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
      "a page that says not found",
      answering(404, "text/html", "<h1>Not found</h1>"),
      /answered 404 .*not a JSON/,
    ],
    ["a list", json(200, [1, 2]), /answered 200 with something that is not a JSON object/],
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
    await using server = await plainServer(json(400, { success: 0 }));
    const { code, message } = await refusalOf(verify(server));
    expect([code, message]).toEqual([
      "refused",
      `${server.url}/api/user answered 400 and success 0 to the first call. Are the API token and the URL right?`,
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

  /** The reason of a run that ended because the first request got no usable response. */
  async function unusable(server: PlainServer): Promise<string> {
    const { code, message } = await refusalOf(verify(server));
    expect(code).toBe("unreachable");
    const start = `${server.url} gives no usable response: `;
    const end = ", after 4 attempts. Check the URL.";
    expect([message.slice(0, start.length), message.slice(-end.length)]).toEqual([start, end]);
    return message.slice(start.length, -end.length);
  }

  it.each([
    ["a page", answering(200, "text/html", "<h1>Hello</h1>"), "200 OK without JSON to GET /api/user"],
    ["no body", answering(204, "text/plain", ""), "204 No Content without JSON to GET /api/user"],
    ["500", json(500, { success: 0 }), "500 Internal Server Error to GET /api/user"],
    ["an unknown status", answering(599, "text/plain", ""), "599 to GET /api/user"],
  ])("says what the response was: %s", async (_, handle, words) => {
    await using server = await plainServer(handle);
    expect(await unusable(server)).toBe(words);
  });

  it("says that nothing listens there", async () => {
    const server = await plainServer(() => {});
    await server[Symbol.asyncDispose]();
    expect(await unusable(server)).toMatch(/^GET \/api\/user failed: .*ECONNREFUSED/);
  });

  it("says that it hangs up", async () => {
    await using server = await plainServer((req) => req.socket.destroy());
    expect(await unusable(server)).toBe("GET /api/user failed: socket hang up");
  });

  it("says that its answer broke off", async () => {
    await using server = await plainServer((_, res) => {
      res.writeHead(200, { "Content-Length": 100 });
      res.write('{"success": 1', () => res.destroy());
    });
    expect(await unusable(server)).toBe("GET /api/user failed: aborted");
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
    expect(await unusable(server)).toBe("GET /api/user failed: no response within 10 s");
    expect(asked).toEqual([10_000, 10_000, 10_000, 10_000]);
  });

  it("reports what it has found after five minutes where every answer is slow", async () => {
    let elapsed = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + elapsed);
    await using server = await plainService((honest) => {
      elapsed += 50_001;
      return honest;
    });
    const { facts, assumptions } = await verify(server);
    // One request before the facts, and one more than there is time for.
    expect(elapsed).toBe(6 * 50_001);
    expect(facts.map(({ verdict }) => verdict)).toEqual([
      ...["holds", "holds", "holds"],
      ...Array(facts.length - 3).fill("not determinable"),
    ]);
    const open = assumptions.filter(({ unanswered }) => unanswered);
    // The questions about two teams are not determinable anyway.
    expect(open).toHaveLength(assumptions.length - 2);
    const reasons = [...facts.slice(3).map(({ detail }) => detail), ...open.map(({ why }) => why)];
    expect(new Set(reasons)).toEqual(new Set(["no time left: verify stops after 300 s"]));
  });
});

describe("a plain service", () => {
  it("that throws breaks its connections, and throws again at its end", async () => {
    const server = await plainService(() => {
      throw new Error("a mistake in a test");
    });
    await refusalOf(verify(server));
    await expect(server[Symbol.asyncDispose]()).rejects.toThrow("a mistake in a test");
  });
});

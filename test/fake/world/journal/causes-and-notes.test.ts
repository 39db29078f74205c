import { once } from "node:events";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { startMock } from "../../../../src/client/start-mock.js";
import { startServer } from "../../../../src/client/start-server.js";
import type { Mock, World } from "../../../../src/client/world.js";
import type { FailureCode } from "../../../../src/fake/contract/failures.js";
import { GroupStore } from "../../../../src/fake/service/group-store.js";
import { showPage } from "../../../../src/fake/world/journal/show-journal.js";
import type { JournalEntry } from "../../../../src/generated/types.js";
import type { FaultRequest } from "../../../../src/index.js";
import { resolveOptions } from "../../../../src/options/resolve-options.js";
import { call, create, getOrCreate, rotate } from "../../../call.js";
import { callInFlight } from "../../../call-in-flight.js";
import { seededToken } from "../../../seeded.js";
import { unusedMethod } from "../../../unused-methods.js";
import { request } from "../../server/raw-table.js";
import { ownWorld } from "../own-world.js";

const own = ownWorld();

/** The newest entry of the journal. */
const newest = async () => (await own.world.requests()).at(-1) ?? expect.fail("The journal is empty.");

/** The entries of the epoch that a reset or a drop has closed. */
const closed = async (world: World): Promise<JournalEntry[]> =>
  (await call("GET", `${world.url}/__admin/requests?epoch=1`)).body.requests;

/** The beginning of a request on a raw socket. */
function head(url: string, ...more: readonly string[]): string {
  const { host, pathname } = new URL(url);
  const lines = ["Authorization: Token test-api-token", "Content-Type: application/json", ...more];
  return `GET ${pathname}/api/user HTTP/1.1\r\nHost: ${host}\r\n${lines.join("\r\n")}\r\n\r\n`;
}

/** A mock whose request 1 is a rotation. Its client disconnects while the mock inflates its body. */
async function rotatedForNobody(): Promise<Mock> {
  const mock = await startMock({ bodyLimit: 10_000_000 });
  // Little to send, and hundreds of turns of the event loop to inflate.
  const body = gzipSync(`{"current_token":"${seededToken}"${" ".repeat(5_000_000)}}`);
  const socket = connect(Number(new URL(mock.url).port), "127.0.0.1");
  socket.end(request({ method: "POST", more: ["Content-Encoding: gzip"], body }));
  await mock.waitForRequest();
  return mock;
}

/** These come before a journal, or from a fault. */
type NotInTheJournal =
  | "forbidden_host"
  | "forbidden_origin"
  | "ambiguous_host"
  | "invalid_world"
  | "too_many_worlds"
  | "fault";

/** A request for each code that the service rejects requests with. */
const rejected: Record<Exclude<FailureCode, NotInTheJournal>, (url: string) => Promise<unknown>> = {
  missing_body: (url) => call("GET", `${url}/api/user`),
  invalid_json: (url) => getOrCreate(url, "{"),
  invalid_body: (url) => getOrCreate(url, { user_group_id: 7 }),
  unauthorized: (url) => getOrCreate(url, { user_group_id: "a" }, { apiToken: "unheard-of" }),
  unknown_token: (url) => rotate(url, "unheard-of"),
  conflict: async (url) => {
    await call("PATCH", `${url}/__admin/assumptions`, { "unique-names": "rejected" });
    await getOrCreate(url, { user_group_id: "other", name: "Example 1" });
  },
  not_found: (url) => call("GET", `${url}/nowhere`),
  method_not_allowed: (url) => call(unusedMethod, `${url}/api/user`),
  payload_too_large: (url) => getOrCreate(url, { user_group_id: "x".repeat(101_000) }),
  unsupported_media_type: (url) => getOrCreate(url, {}, { headers: { "Content-Type": "text/plain" } }),
  async internal(url) {
    const look = vi.spyOn(GroupStore.prototype, "get").mockImplementation(() => {
      throw new Error("a bug");
    });
    const print = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    await create(url).finally(() => [look, print].map((spy) => spy.mockRestore()));
  },
};

describe("the cause of a request that was rejected", () => {
  it.each(Object.entries(rejected))(
    "has the code, the message and the situation of the response: %s",
    async (code, send) => {
      await send(own.world.url);
      const { outcome, cause, response, notes } = await newest();
      const { message } = Object(response?.body).error;
      // Not for an internal error.
      const situation = response?.headers["usergroup-mock-situation"];
      expect([outcome, cause, notes]).toEqual(["failure", { code, message, situation }, []]);
    },
  );

  it("is the same if assumptions hide it from the response", async () => {
    await own.world.assume({ "failure-status": "always-200", "failure-body": "bare" });
    await rotate(own.world.url, "unheard-of");
    const { cause, response } = await newest();
    expect([response?.status, response?.body]).toEqual([200, { success: 0 }]);
    expect(cause?.code).toBe("unknown_token");
  });

  it("names the request that had rotated the token out, also if the next one was rotated too", async () => {
    const { url } = own.world;
    const first = (await create(url, "new")).body.user_group.token;
    await create(url, "new");
    const second = (await rotate(url, first)).body.user_group.token;
    await rotate(url, second);
    for (const [token, request] of [
      [first, 3],
      [second, 4],
    ]) {
      await rotate(url, token);
      const message = `The current_token was rotated out by request ${request}. Use the group's latest token.`;
      expect((await newest()).cause).toMatchObject({ code: "unknown_token", message, request });
    }
  });

  it("has that the client which had rotated the token out had disconnected", async () => {
    await using mock = await rotatedForNobody();
    await rotate(mock.url, seededToken);
    expect((await mock.requests()).at(-1)?.cause).toMatchObject({
      code: "unknown_token",
      message:
        "The current_token was rotated out by request 1, whose response was lost (the client had disconnected)." +
        " Look the group up to get its new token.",
      request: 1,
    });
  });

  it("has that the request overlapped the one that had rotated the token out and ended first", async () => {
    const { world } = own;
    const held = [await world.hold(), await world.hold()];
    const rotating: Promise<unknown>[] = [];
    for (const hold of held) {
      rotating.push(rotate(world.url, seededToken));
      await hold.arrived();
    }
    for (const [n, hold] of held.entries()) {
      await hold.release();
      await rotating[n];
    }
    const message = "The current_token was rotated out by request 1. Use the group's latest token.";
    expect((await newest()).cause).toMatchObject({
      code: "unknown_token",
      message,
      request: 1,
      concurrent: true,
    });
  });

  it("distinguishes a token of another team from one of no group", async () => {
    const foreign = await own.world.addGroup({ team_id: 4, provided_id: "foreign", name: "Foreign" });
    await rotate(own.world.url, foreign.token);
    expect((await newest()).cause?.message).toContain("belongs to a group of another team");
    await rotate(own.world.url, "unheard-of");
    expect((await newest()).cause?.message).toContain("belongs to no group of this team");
  });
});

describe("the cause of a request whose connection or world ended", () => {
  it("is the disconnect of its client, before the body had arrived", async () => {
    const { hostname, port } = new URL(own.world.url);
    const socket = connect(Number(port), hostname);
    socket.write(head(own.world.url, "Content-Length: 50", "Expect: 100-continue"));
    // The mock asks for the body, so the request has begun.
    await once(socket, "data");
    socket.write('{"user_group_id":');
    socket.destroy();
    const { outcome, cause, notes } = await own.world.waitForRequest();
    expect([outcome, cause?.code, notes]).toEqual(["failure", "caller-left", []]);
    expect(cause?.message).toMatch(
      /^The connection was closed after \d+ ms, before the body of the request had arrived\.$/,
    );
    expect((await own.world.health()).groups).toBe(5);
    // Nothing was rejected.
    await own.world.reset();
    expect(await own.world.history()).toMatchObject([{ requests: 1, failures: 0 }]);
  });

  it("is the disconnect of its client, after the body had arrived", async () => {
    await using mock = await rotatedForNobody();
    const [entry] = await mock.requests();
    expect([entry?.outcome, entry?.cause]).toEqual([
      "failure",
      {
        code: "caller-left",
        message: expect.stringMatching(
          /^The client closed the connection after [^,]+, before a response was sent; the token had been rotated, the client never saw the new token\.$/,
        ),
      },
    ]);
  });

  it.each<[how: string, fault: FaultRequest, end: (world: World) => Promise<void>]>([
    ["reset", { hold: true }, (world) => world.reset()],
    ["reset", { delayMs: 60_000 }, (world) => world.reset()],
    ["dropped", { hold: true }, (world) => world.drop()],
  ])("is that its world was %s, while a fault held it: %j", async (how, rule, end) => {
    const message = `The world was ${how} while fault 1 ${rule.hold ? "held" : "delayed"} this request.`;
    const { world } = own;
    const fault = await world.fault(rule);
    const waiting = create(world.url, "new");
    await expect.poll(() => fault.fired()).toBe(1);
    await end(world);
    const { body } = await waiting;
    expect(body.error).toEqual({ code: "fault", message });
    const [entry] = await closed(world);
    expect([entry?.outcome, entry?.cause]).toEqual(["fault", { code: "reset", message, fault: 1 }]);
  });

  it("is a stop of the mock", async () => {
    const server = await startServer(await resolveOptions([], "embedded"));
    const { faults, journal } = server.worlds.peek("default");
    faults.arm({ hold: true });
    const held = create(server.url, "held");
    await expect.poll(() => faults.list([])[0]?.fired).toBe(1);
    const half = await callInFlight("GET", server.url, { user_group_id: "half", name: "Half" });
    await server.stop();
    expect((await held).status).toBe(503);
    await half.closed;
    expect(showPage(journal, {}).requests.map(({ outcome, cause }) => [outcome, cause])).toEqual([
      [
        "fault",
        { code: "stopped", message: "The mock was stopped while fault 1 held this request.", fault: 1 },
      ],
      ["failure", { code: "stopped", message: "The mock was stopped before the whole response was sent." }],
    ]);
  });
});

describe("the cause of a request that succeeded, or is pending", () => {
  it("is null while the request is held, or its body has not arrived", async () => {
    const { url } = own.world;
    const half = await callInFlight("GET", url, { user_group_id: "half", name: "Half" });
    const held = await own.world.hold({ match: { user_group_id: "held" }, phase: "after" });
    const waiting = getOrCreate(url, { user_group_id: "held" });
    await held.arrived();
    expect((await own.world.requests()).map(({ outcome, cause }) => [outcome, cause])).toEqual([
      ["pending", null],
      ["pending", null],
    ]);
    await half.finish();
    await held.release();
    await waiting;
    const codes = (await own.world.requests()).map(({ cause }) => cause?.code);
    expect(codes).toEqual([undefined, "invalid_body"]);
  });
});

// test/fake/service/check-body.test.ts and get-or-create.test.ts have the others.
describe("the notes of a request", () => {
  it("mention the world that issued a token, beside the cause", async () => {
    const other = own.world.world(`${own.world.name}-other`);
    const { token } = (await create(other.url, "new")).body.user_group;
    await rotate(own.world.url, token);
    const { cause, notes } = await newest();
    expect(cause?.code).toBe("unknown_token");
    expect(notes).toEqual([`current_token belongs to the world ${other.name}; check the base URL`]);
    await rotate(other.url, token);
    await rotate(other.url, token);
    expect((await other.requests()).at(-1)?.notes).toEqual([]);
    await other.drop();
  });
});

import { once } from "node:events";
import { connect } from "node:net";
import { deflateSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TrackedFault } from "../../../src/fake/world/faults/faults.js";
import { Journal } from "../../../src/fake/world/journal/journal.js";
import { Worlds } from "../../../src/fake/world/worlds.js";
import { call, getOrCreate, rotate } from "../../call.js";
import { type ServedApp, serveApp } from "./serve-app.js";

/** Worlds that throw where correct code does not. */
class BrokenWorlds extends Worlds {
  override enter(name: string) {
    if (name === "broken") throw new Error("a broken world, secret-7f3a");
    return super.enter(name);
  }

  override list(): ReturnType<Worlds["list"]> {
    const { worlds, ...others } = super.list();
    if (!worlds.some(({ name }) => name === "long")) throw new Error("a broken list, secret-7f3a");
    const broken = {
      toJSON: () => {
        throw new Error("a broken end");
      },
    };
    const long = { name: "x".repeat(100_000), groups: 0, requests: 0, failures: 0 };
    return { ...others, worlds: [...worlds, long, broken as unknown as typeof long] };
  }

  override describeIssuer(): never {
    throw new Error("a broken look-up, secret-7f3a");
  }
}

let url: string;
let app: ServedApp;
let worlds: Worlds;
let reported: string[];
let logged: (number | undefined)[];
let injected: TrackedFault | undefined;

beforeEach(async () => {
  reported = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    reported.push(/please report it: (.*)/.exec(String(text))?.[1] ?? "");
    return true;
  });
  logged = [];
  injected = undefined;
  app = await serveApp({
    worldsClass: BrokenWorlds,
    log: (entry) => logged.push(entry.status),
    run: { inject: () => injected, completed: () => {} },
  });
  ({ url, worlds } = app);
});
afterEach(() => {
  vi.restoreAllMocks();
  app.close();
});

describe("an internal error", () => {
  it.each([
    ["a request to the service", () => rotate(url, "unknown"), "Error: a broken look-up, secret-7f3a"],
    ["an admin request", () => call("GET", `${url}/__admin/worlds`), "Error: a broken list, secret-7f3a"],
    [
      "entering a world",
      () => getOrCreate(`${url}/worlds/broken`, { user_group_id: "a" }),
      "Error: a broken world, secret-7f3a",
    ],
  ])("in %s is logged and not shown to the client, and the next request succeeds", async (_, make, bug) => {
    const { status, body } = await make();
    expect([status, body.error.code, reported]).toEqual([500, "internal", [bug]]);
    expect(body.error.message).toMatch(/^Internal error in usergroup-mock\. See its log\b/);
    expect(JSON.stringify(body)).not.toContain("secret-7f3a");
    expect((await getOrCreate(url, { user_group_id: "example_1" })).status).toBe(200);
    expect(reported).toHaveLength(1);
  });

  it.each<[when: string, TrackedFault | undefined]>([
    ["at once", undefined],
    ["late", new TrackedFault(0, { delayMs: 1 })],
  ])("in a wait fails a request whose response is sent %s, and not the server", async (_, given) => {
    injected = given;
    const look = vi.spyOn(Journal.prototype, "close").mockImplementation(() => {
      throw new Error("a broken journal");
    });
    await expect(getOrCreate(url, { user_group_id: "example_1" })).rejects.toThrow("socket hang up");
    expect(reported).toEqual(["Error: a broken journal"]);
    look.mockRestore();
    expect((await getOrCreate(url, { user_group_id: "example_1" })).status).toBe(200);
  });

  it("in the JSON of an admin response gives 500, and not half of the response", async () => {
    worlds.enter("long");
    expect((await call("GET", `${url}/__admin/worlds`)).status).toBe(500);
    expect(reported).toEqual(["Error: a broken end"]);
    expect((await call("GET", `${url}/__admin/health`)).status).toBe(200);
  });

  it("is in the journal as the failure that the client got", async () => {
    await rotate(url, "unknown");
    const { body } = await call("GET", `${url}/__admin/requests`);
    expect(
      body.requests.map(({ response, outcome }: never) => [(response as { status: number }).status, outcome]),
    ).toEqual([[500, "failure"]]);
    expect(logged).toEqual([500]);
  });
});

describe("a request whose injected failure is silence", () => {
  it("is logged when its client disconnects, and not before", async () => {
    injected = new TrackedFault(0, { hold: true });
    const impatient = new AbortController();
    const calling = fetch(`${url}/api/user`, {
      method: "POST",
      headers: { Authorization: "Token test-api-token", "Content-Type": "application/json" },
      body: '{"current_token":"x"}',
      signal: impatient.signal,
    });
    const { journal } = worlds.enter("default");
    await expect.poll(() => injected?.show().holding).toBe(1);
    injected = undefined;
    // A later request is completed, and the silent one is not logged yet.
    await getOrCreate(url, { user_group_id: "example_1" });
    expect(logged).toEqual([200]);
    impatient.abort();
    await expect(calling).rejects.toThrow();
    await expect.poll(() => logged).toEqual([200, undefined]);
    expect([journal.get(1)?.delivered, reported]).toEqual([{ delivery: "caller-left" }, []]);
  });
});

describe("a client that disconnects before its body is inflated", () => {
  it("is not an internal error", async () => {
    const body = deflateSync('{"operation":"get-or-create"}');
    const head =
      "POST /__admin/requests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
      `Content-Encoding: deflate\r\nContent-Length: ${body.length}\r\n\r\n`;
    const disconnect = async () => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.end(Buffer.concat([Buffer.from(head), body]));
      socket.resume();
      await once(socket, "close");
    };
    for (let n = 0; n < 20; n++) await disconnect();
    // By then, most bodies have been inflated.
    expect((await call("GET", `${url}/__admin/health`)).status).toBe(200);
    expect(reported).toEqual([]);
  });
});

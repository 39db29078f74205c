import { connect } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { startMock } from "../../../src/client/start-mock.js";
import type { Mock, World } from "../../../src/client/world.js";
import type { JournalEntry, MockOptions } from "../../../src/generated/types.js";
import { call, create, getOrCreate, rotate } from "../../call.js";
import { patience } from "../../patience.js";
import { seededToken } from "../../seeded.js";
import { unusedMethod } from "../../unused-methods.js";
import { watchCreate } from "../world/watched-call.js";
import { exchange } from "./raw-socket.js";
import { request } from "./raw-table.js";

describe("the log of requests that a stop ends", () => {
  it("reports who closed the connection, also for a request from before a reset", async () => {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    try {
      const mock = await startMock({ log: "json" });
      await mock.fault({ delayMs: 60_000, match: { user_group_id: "slow" } });
      const slow = watchCreate(mock.url, "slow");
      await vi.waitFor(() => mock.assertFaultsFired(), patience);
      await mock.reset();
      const held = await mock.hold();
      const impatient = connect(Number(new URL(mock.url).port));
      impatient.write(request({ body: '{"user_group_id":"impatient","name":"I"}', close: false }));
      await held.arrived();
      impatient.destroy();
      await mock.waitForRequest({ match: { user_group_id: "impatient" } });
      await watchCreate(mock.url, "later");
      await mock.stop();
      await slow;
      const lines = write.mock.calls.map(([text]) => JSON.parse(String(text)));
      expect(lines.map(({ group, code, message }) => [group, code, message])).toEqual([
        ["slow", "reset", expect.stringMatching(/^The world was reset while fault 1 delayed this request/)],
        ["impatient", "caller-left", expect.stringMatching(/^The client closed the connection after /)],
        ["later", null, null],
      ]);
    } finally {
      write.mockRestore();
    }
  });
});

describe("a line of the log", () => {
  /** The lines that are printed while requests are made. */
  async function printed(
    log: "json" | "pretty",
    work: (mock: Mock) => Promise<unknown>,
    options: MockOptions = {},
  ): Promise<string[]> {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    try {
      await using mock = await startMock({ ...options, log });
      await work(mock);
      return write.mock.calls.map(([text]) => String(text));
    } finally {
      write.mockRestore();
    }
  }

  // A regular expression over all of them would take minutes, or overflow its stack at 6 MB.
  it.each([90_000, 8_000_000])(
    "is short for a group id, a key or a token of %d characters",
    async (length) => {
      const long = "a-".repeat(length / 2);
      const hasToken = `${`${seededToken} `.repeat(40)}${long}`;
      const work = async ({ url }: Mock) => {
        const sent = [
          getOrCreate(url, { user_group_id: long, name: "A" }),
          getOrCreate(url, { user_group_id: hasToken, name: "A" }),
          getOrCreate(url, { user_group_id: "a", name: "A", mapping: { [long]: 1 } }),
          getOrCreate(url, { user_group_id: long }, { apiToken: "unknown" }),
          rotate(url, long),
        ];
        expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 400, 401, 404]);
      };
      const lines = await printed("json", work, { bodyLimit: 20_000_000 });
      expect(lines).toHaveLength(5);
      for (const line of lines) expect(line.length).toBeLessThan(5_000);
      expect(lines.join("")).not.toMatch(/[0-9a-f]{20}/);
    },
  );

  it.each([
    ["/api/user/test-api-token", "/api/user/…"],
    [`/api/user/${seededToken}`, "/api/user/…"],
    ["/worlds/test-api-token/api/user", "/api/user"],
    ["/api/user;token=test-api-token&x", "/api/user;token=…&x"],
    ["/api/user?token=test-api-token", "/api/user"],
    ["/%22test-api-token%22", '/"…"'],
    ["/%22users%22", "/%22users%22"],
    ["/http://user:secret@real.test/api/user", "/http://…@real.test/api/user"],
    ["/api/users/7", "/api/users/7"],
  ])("masks tokens and user names in a path: %s", async (path, shown) => {
    const [line = ""] = await printed("json", (mock) => call("GET", `${mock.url}${path}`));
    expect(JSON.parse(line).path).toBe(shown);
    expect(line).not.toMatch(/test-api-token|[0-9a-f]{64}|secret/);
  });

  it("quotes a path in a message as it shows it", async () => {
    const [line = ""] = await printed("json", (mock) => call("GET", `${mock.url}/nowhere/${seededToken}`));
    expect(JSON.parse(line).message).toContain("/nowhere/…");
  });

  const odd = "s3cret/=:@$!?x";
  const teams = [{ team_id: 3, api_tokens: [odd, "user"] }];
  const user_groups = [{ team_id: 3, provided_id: "acme", name: "Acme", token: "acme:key" }];
  const encoded = encodeURIComponent(odd);
  const everyByte = Buffer.from(odd).toString("hex").replace(/../g, "%$&");

  it.each([
    ["its fixtures list", { fixtures: { teams, user_groups } }, async () => {}],
    ["load() added to a world", {}, (world: World) => world.load({ teams, user_groups })],
  ])(
    "masks tokens with any character that %s, in paths, group ids and messages",
    async (_, options, begin) => {
      const texts = [
        odd,
        encoded,
        everyByte,
        `x${odd}x`,
        `a@${odd}`,
        `%zz${encoded}`,
        "acme:key",
        "acme%3Akey",
      ];
      const work = async (mock: Mock) => {
        const world = mock.world("w1");
        await begin(world);
        await world.addGroup({ provided_id: "b", name: "B", token: "added!" });
        await world.addGroup({ provided_id: "c", name: "C", token: "added/key" });
        for (const text of [...texts, "added!", "added/key"]) {
          await getOrCreate(world.url, { user_group_id: text, name: "A" }, { apiToken: odd });
          await call("GET", `${world.url}/${text}?xy`);
          await call("GET", `${world.url}/${text}`, undefined, { headers: { Host: "evil.test" } });
        }
      };
      const lines = await printed("json", work, options);
      expect(lines).toHaveLength(30);
      expect(lines.filter((line) => !line.includes("…"))).toEqual([]);
      const shown = lines
        .map((line) => JSON.parse(line))
        .map((line) => [line.path, line.group, line.message].join(" "));
      expect(shown.filter((text) => /s3cret|\$!|key|added|%[2-7]/.test(text))).toEqual([]);
    },
  );

  it("masks a token with a question mark before a query", async () => {
    const work = async (mock: Mock) => {
      await mock.addGroup({ provided_id: "q", name: "Q", token: "who?me" });
      await call("GET", `${mock.url}/who%3Fme?x=1`);
    };
    const lines = await printed("json", work);
    expect(JSON.parse(lines.at(-1) ?? "").path).not.toMatch(/who|me/);
  });

  it("masks a short API token only as a whole word", async () => {
    const request = (mock: Mock) => call("GET", `${mock.url}/users/user`);
    const [line = ""] = await printed("json", request, { fixtures: { teams } });
    expect(JSON.parse(line).path).toBe("/users/…");
  });

  it("masks the API token that a client sent, even if it is unknown", async () => {
    const token = "from-production";
    const lines = await printed("json", async (mock) => {
      await getOrCreate(mock.url, { user_group_id: token }, { apiToken: token });
      await getOrCreate(mock.url, { user_group_id: token }, { headers: { Authorization: token } });
      await call("GET", `${mock.url}/${token}`, undefined, { apiToken: token });
    });
    expect(lines.map((line) => JSON.parse(line)).map(({ path, group }) => [path, group])).toEqual([
      ["/api/user", "…"],
      ["/api/user", "…"],
      ["/…", null],
    ]);
  });

  it("has the message of the cause, as the journal does", async () => {
    let journal: readonly JournalEntry[] = [];
    const lines = await printed("json", async (mock) => {
      await rotate(mock.url, seededToken);
      await rotate(mock.url, seededToken);
      await call("POST", `${mock.url}/api/user`, { curent_token: "secret" });
      await mock.fault({ reset: true });
      await rotate(mock.url, seededToken).catch(() => {});
      journal = await mock.requests();
    });
    expect(lines.map((line) => JSON.parse(line).message)).toEqual(
      journal.map(({ cause }) => cause?.message ?? null),
    );
    expect(JSON.parse(lines[1] ?? "").message).toContain("was rotated out by request 1.");
  });

  it("has none for what is not HTTP", async () => {
    const lines = await printed("json", ({ url }) => exchange(url, ["not HTTP\r\n\r\n"]));
    expect(lines).toEqual([]);
  });

  it("names the world and the fault, and shows --- as the status if no response was sent", async () => {
    const [failed, broken] = await printed("pretty", async (mock) => {
      const world = mock.world("w3");
      await world.fault({ phase: "after", status: 503 });
      await create(world.url, "acme");
      await world.fault({ reset: true });
      await watchCreate(world.url, "acme");
    });
    expect(failed).toMatch(
      / w3 #1 {2}get-or-create {2}acme +503 +[\d.]+ ms {2}created, response lost +Fault 1 responded with 503\b.*\n$/,
    );
    expect(broken).toMatch(/acme +--- +[\d.]+ ms {2}fault +Fault 2 reset the connection/);
  });

  it("has the same words and columns for every code in both formats", async () => {
    const work = async (mock: Mock) => {
      await create(mock.url, "acme");
      await create(mock.url, "acme", { name: 5 });
      await call("GET", `${mock.url}/nowhere`);
      await call(unusedMethod, `${mock.url}/api/user`);
      await call("GET", `${mock.url}/api/user`, "{}", { headers: { "Content-Type": "text/plain" } });
      await call("POST", `${mock.url}/api/user`, { current_token: "unheard-of" });
      await call("GET", `${mock.url}/api/user`, undefined, { headers: { "Sec-Fetch-Site": "cross-site" } });
    };
    const pretty = await printed("pretty", work);
    const json = (await printed("json", work)).map((line) => JSON.parse(line));
    expect(json.map(({ code }) => code)).toEqual([
      null,
      "invalid_body",
      "not_found",
      "method_not_allowed",
      "unsupported_media_type",
      "unknown_token",
      "forbidden_origin",
    ]);
    for (const [n, line] of pretty.entries()) {
      const { operation, method, path, group, status, code, effect, message } = json[n];
      const columns = /^.{12} {2}(.{5}) {2}(.{13}) {2}(.{20}) {2}(...) {2}.{9} {2}(.{22})(.*)$/.exec(
        line.trimEnd().padEnd(100),
      );
      expect(columns?.slice(2).map((text) => text.trim())).toEqual([
        operation ?? method,
        operation ? (group ?? "-") : path,
        String(status),
        code ?? effect,
        message ?? "",
      ]);
    }
  });

  it.each(["pretty", "json"] as const)(
    "quotes no value of a body, no query, API token or password, and no header that may be a secret: %s",
    async (log) => {
      const secret = "secret-7f3a";
      const lines = await printed(log, async (mock) => {
        await create(mock.url, "acme", { name: 5, [secret]: secret, mapping: { 40: { x: secret } } });
        await call("GET", `${mock.url}/api/user?${secret}`, secret, { apiToken: secret });
        await call("GET", `${mock.url}/api/user`, `{"a": ${secret}}`, { headers: { "X-Header": secret } });
        await call("POST", `${mock.url}/api/user`, { current_token: secret });
        await call("GET", `${mock.url}/http://user:${secret}@real.test/api/user?${secret}`);
        await call("GET", `${mock.url}/api/user?${secret}`, "{}", {
          headers: { Host: `x:${secret}@a.test` },
        });
        await call("POST", `${mock.url}/__admin/reset`, undefined, {
          headers: { Origin: `https://${secret}.test`, "Sec-Fetch-Site": "cross-site" },
        });
      });
      expect(lines).toHaveLength(7);
      expect(lines.join("")).not.toContain(secret);
    },
  );

  it("reports a request that the guard rejected", async () => {
    const headers = { Host: "evil.test" };
    const [line] = await printed("json", (mock) => call("GET", `${mock.url}/x`, undefined, { headers }));
    expect(JSON.parse(line ?? "")).toMatchObject({
      event: "rejected",
      method: "GET",
      path: "/x",
      status: 403,
      code: "forbidden_host",
      message: expect.stringMatching(/^This host is not allowed: "evil\.test"\. Use 127\.0\.0\.1 /),
    });
  });

  it("escapes terminal control characters in the message of a rejection", async () => {
    const body = { user_group_id: "a", name: "A", mapping: { "\u009b31m\u202e": 1 } };
    const [line = ""] = await printed("pretty", ({ url }) => getOrCreate(url, body));
    expect(line).toContain("/mapping/\\u009b31m\\u202e must be string");
  });

  it("escapes terminal control characters in JSON too", async () => {
    const id = "\u009b31m\u202e\u{e0001}";
    const [line = ""] = await printed("json", (mock) => create(mock.url, id));
    expect(line).toContain("\\u009b31m\\u202e\\udb40\\udc01");
    expect(JSON.parse(line).group).toBe(id);
  });

  it("is coloured only on a terminal", async () => {
    const isTTY = Object.getOwnPropertyDescriptor(process.stdout, "isTTY");
    Object.defineProperty(process.stdout, "isTTY", { value: true, configurable: true });
    vi.stubEnv("FORCE_COLOR", "1");
    try {
      const [line] = await printed("pretty", (mock) => create(mock.url, "acme"));
      expect(line).toContain("\u001b[32m200");
    } finally {
      vi.unstubAllEnvs();
      if (isTTY) Object.defineProperty(process.stdout, "isTTY", isTTY);
      else Reflect.deleteProperty(process.stdout, "isTTY");
    }
    const [plain] = await printed("pretty", (mock) => create(mock.url, "acme"));
    expect(plain).not.toContain("\u001b");
  });
});

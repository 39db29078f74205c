import { connect } from "node:net";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { reportInternalError } from "../../src/mock/request-log.js";
import { startMock } from "../../src/mock/start-mock.js";
import type { Mock } from "../../src/mock/world.js";
import { call, create } from "../call.js";
import { seededToken } from "../seeded.js";
import { watchCreate } from "../world/watched-call.js";

describe("reportInternalError", () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  afterEach(() => write.mockClear());
  afterAll(() => write.mockRestore());
  const reported = (error: unknown) => {
    reportInternalError(error);
    return write.mock.calls.map(([text]) => text).join("");
  };

  it("prints the stack to standard error, and what to do with it", () => {
    expect(reported(new Error("broken"))).toMatch(
      /^usergroup-mock: internal error, please report it: Error: broken\n +at .*\n$/s,
    );
  });

  it.each([
    [undefined, "undefined"],
    [null, "null"],
    ["text", "text"],
    [{ message: "no error" }, "[object Object]"],
  ])("accepts anything that can be thrown: %j", (error, words) => {
    expect(reported(error)).toBe(`usergroup-mock: internal error, please report it: ${words}\n`);
  });
});

describe("the request log", () => {
  it.each([
    ["/api/user/test-api-token", "/api/user/…"],
    [`/api/user/${seededToken}`, "/api/user/…"],
    [`/worlds/${seededToken}/api/user`, "/api/user"],
    ["/worlds/test-api-token/api/user", "/api/user"],
    ["/api/user;token=test-api-token&x", "/api/user;token=…&x"],
    ["/api/user?token=test-api-token", "/api/user"],
    ["/x:test-api-token,y", "/x:…,y"],
    ["/%22test-api-token%22", "/%22…%22"],
    ["/api/users/7", "/api/users/7"],
  ])("masks tokens in a path: %s", async (path, shown) => {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    try {
      for (const log of ["json", "pretty"] as const) {
        await using mock = await startMock({ log });
        await call("GET", `${mock.url}${path}`);
      }
      const printed = write.mock.calls.map(([text]) => String(text)).join("");
      expect(printed).toContain(`"path":"${shown}"`);
      expect(printed).toMatch(shown === "/api/user" ? / get-or-create {2}/ : ` GET ${shown} `);
      expect(printed).not.toMatch(/test-api-token|[0-9a-f]{64}/);
    } finally {
      write.mockRestore();
    }
  });
});

describe("the log of rejected requests", () => {
  const printed = async (log: "json" | "pretty", make: (url: string) => Promise<unknown>) => {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    try {
      await using mock = await startMock({ log });
      await make(mock.url);
      return write.mock.calls.map(([text]) => String(text)).join("");
    } finally {
      write.mockRestore();
    }
  };

  it.each(["json", "pretty"] as const)("masks tokens in the reason: %s", async (log) => {
    const lines = await printed(log, async (url) => {
      await call("GET", `${url}/api/user`, "test-api-token");
      const origin = `https://${seededToken}.test`;
      await call("POST", `${url}/__admin/reset`, undefined, { headers: { Origin: origin } });
    });
    expect(lines).toMatch(/is not valid JSON.*\n.*forbidden_origin/);
    expect(lines).not.toMatch(/test-api-token|[0-9a-f]{64}/);
  });

  it("escapes terminal control characters in JSON too", async () => {
    const id = "\u009b31m\u202e\u{e0001}";
    const line = await printed("json", (url) => create(url, id));
    expect(line).toContain("\\u009b31m\\u202e\\udb40\\udc01");
    expect(JSON.parse(line).group).toBe(id);
  });
});

describe("the log of requests that a stop ends", () => {
  it("reports who closed the connection, also for a request from before a reset", async () => {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    try {
      const mock = await startMock({ log: "json" });
      await mock.fault({ delayMs: 60_000, match: { user_group_id: "slow" } });
      const slow = watchCreate(mock.url, "slow");
      await vi.waitFor(() => mock.assertFaultsFired(), { timeout: 10_000 });
      await mock.reset();
      const held = await mock.hold();
      const impatient = connect(Number(new URL(mock.url).port));
      const body = '{"user_group_id":"impatient","name":"I"}';
      impatient.write(
        "GET /api/user HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token test-api-token\r\n" +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await held.arrived;
      impatient.destroy();
      await mock.waitForRequest({ match: { user_group_id: "impatient" } });
      await watchCreate(mock.url, "later");
      await mock.stop();
      await slow;
      const lines = write.mock.calls.map(([text]) => JSON.parse(String(text)));
      const ends = lines.map(({ group, delivery, notes }) => [group, delivery, notes.at(-1)]);
      expect(ends).toEqual([
        ["slow", "complete", "fault 1 aborted the request: the world was reset"],
        ["impatient", "caller-left", expect.stringMatching(/^the caller closed the connection after/)],
        ["later", "complete", undefined],
      ]);
    } finally {
      write.mockRestore();
    }
  });
});

describe("a line of the log", () => {
  /** The lines that are printed while requests are made. */
  async function printed(log: "json" | "pretty", work: (mock: Mock) => Promise<unknown>): Promise<string[]> {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    try {
      await using mock = await startMock({ log });
      await work(mock);
      return write.mock.calls.map(([text]) => String(text));
    } finally {
      write.mockRestore();
    }
  }

  it("names the world, the fault and what it did", async () => {
    const [line] = await printed("pretty", async (mock) => {
      await mock.world("w3").fault({ phase: "after", status: 503 });
      await create(mock.world("w3").url, "acme");
    });
    expect(line).toMatch(
      / w3 #1 {2}get-or-create {2}acme +503 {2}fault .* fault 1 responded with 503 after the group /,
    );
  });

  it("shows --- as the status if no response was sent", async () => {
    const lines = await printed("pretty", async (mock) => {
      await mock.fault({ reset: true });
      await watchCreate(mock.url, "acme");
    });
    expect(lines[0]).toMatch(/acme +--- {2}fault .* fault 1 reset the connection; the request had no effect/);
  });

  it("has the reason of a failure", async () => {
    const [line] = await printed("pretty", (mock) => create(mock.url, "acme", { name: 5 }));
    expect(line).toMatch(/acme +400 {2}invalid_body .* \/name must be string\.\n$/);
  });

  it("has the note about a misspelt field", async () => {
    const [line] = await printed("pretty", (mock) => create(mock.url, "acme", { propertys: {} }));
    expect(line).toMatch(
      /created .* field propertys is not in the interface, ignored; did you mean properties\?\n$/,
    );
  });

  it.each([
    ["Host", "evil.test", "forbidden_host", "--allow-host evil.test"],
    ["Origin", "https://evil.test", "forbidden_origin", "Send them from a program"],
  ])("reports a rejected %s header, and what to do", async (name, value, code, advice) => {
    const headers = { [name]: value, "Sec-Fetch-Site": "cross-site" };
    const send = (mock: Mock) => call("GET", `${mock.url}/api/user?token=secret`, undefined, { headers });
    const [line = ""] = await printed("pretty", send);
    expect(line).toMatch(new RegExp(`^\\d\\d:\\d\\d:\\d\\d\\.\\d{3} rejected GET /api/user: ${code}\\. `));
    expect(line).toContain(advice);
    const [json = ""] = await printed("json", send);
    expect(JSON.parse(json)).toMatchObject({
      event: "refused",
      code,
      path: "/api/user",
      [name.toLowerCase()]: value,
    });
    expect(line + json).not.toContain("secret");
  });

  it("has no terminal control characters of a client", async () => {
    const lines = await printed("pretty", async (mock) => {
      await create(mock.url, "\u001b[2J\u202e", { "\u001b]0;x": 1 });
      await create(mock.url, "a\r\nb");
    });
    expect(lines).toHaveLength(2);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
    expect(lines.map((line) => line.trimEnd()).join("")).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(lines[0]).toContain("\\u001b[2J\\u202e");
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

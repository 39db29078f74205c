import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { limits } from "../../../src/lab/verify/budget.js";
import { verifyService } from "../../../src/lab/verify/verify-service.js";
import { runHere } from "../../cli/run-here.js";
import { frameworkService, type Sent, type Style } from "./framework-service.js";
import { quick, verifyWhole, type WholeReport } from "./known-service.js";

// The service under verify may be slow, odd, broken or hostile, and it is somebody's production.

vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-strangers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const apiToken = "api-token-of-one";
const failed: Sent = { status: 400, body: { success: 0, reason: "no" } };
const plain: Style = { reject: () => failed };
const isCreated = ({ body }: Sent) => Object(body).new_user_group === true;

/** A service that counts its requests and its groups. */
async function countingService(style: Style) {
  const counted = { requests: 0, groups: 0 };
  const service = await frameworkService({
    ...style,
    before: (request, res) => {
      counted.requests++;
      return style.before?.(request, res);
    },
    deviate: (correct, request) => {
      if (isCreated(correct)) counted.groups++;
      return style.deviate?.(correct, request) ?? correct;
    },
  });
  return { ...service, counted, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

describe("verify stays within its budget", () => {
  const late: Sent = { status: 504, body: "late" };
  const nth = (isLate: (n: number) => boolean, sent: Sent) => {
    let n = 0;
    return () => (isLate(++n) ? sent : undefined);
  };
  it.each<[string, () => Style]>([
    ["creates a group and then says 504, every time", () => ({ ...plain, deviate: () => late })],
    ["says 504 to everything after the fourth", () => ({ ...plain, before: nth((n) => n > 4, late) })],
    ["says 504 to every second request", () => ({ ...plain, before: nth((n) => n % 2 === 0, late) })],
    [
      "creates a group and then says 504, three times of four",
      () => {
        let n = 0;
        return { ...plain, deviate: (correct) => (isCreated(correct) && ++n % 4 !== 1 ? late : correct) };
      },
    ],
    [
      "throttles each request twice",
      () => ({ ...plain, before: nth((n) => n % 3 !== 1, { ...failed, status: 429 }) }),
    ],
    ["says 429 for ever", () => ({ ...plain, before: nth((n) => n > 4, { ...failed, status: 429 }) })],
  ])("if the service %s", async (_, style) => {
    await using service = await countingService(style());
    await verifyService({ baseUrl: service.url, apiToken }, { patience: quick }).catch(() => {});
    expect(service.counted.requests).toBeLessThanOrEqual(limits.requests);
    expect(service.counted.groups).toBeLessThanOrEqual(limits.groups);
  });
});

const endless = (res: ServerResponse) => {
  res.writeHead(400, { "Content-Type": "application/json" });
  const timer = setInterval(() => res.write(" "), 5);
  res.on("close", () => clearInterval(timer));
};

/** Responds in an odd way to a part of the requests. */
const oddly =
  (respond: (res: ServerResponse) => unknown): NonNullable<Style["before"]> =>
  ({ json }, res) => {
    if (typeof json.name !== "number" && json.current_token !== "wrong") return undefined;
    respond(res);
    return "handled";
  };

describe("verify goes on after an odd response", () => {
  const deep = `${"[".repeat(3_000)}${"]".repeat(3_000)}`;
  it.each<[string, Style]>([
    [
      "with 3,000 levels of JSON",
      { ...plain, before: oddly((res) => res.writeHead(400).end(`{"a":${deep}}`)) },
    ],
    ["with status 600", { ...plain, before: oddly((res) => res.writeHead(600).end("{}")) }],
    ["with status 999", { ...plain, before: oddly((res) => res.writeHead(999).end("{}")) }],
    ["of 40 MB", { ...plain, before: oddly((res) => res.writeHead(400).end(Buffer.alloc(40_000_000, " "))) }],
    ["without an end", { ...plain, before: oddly(endless) }],
    ["without a body", { ...plain, before: oddly((res) => res.writeHead(400).end()) }],
    [
      "shorter than announced",
      {
        ...plain,
        before: oddly((res) => res.writeHead(400, { "Content-Length": 9 }).write("{}", () => res.destroy())),
      },
    ],
    [
      "longer than announced",
      {
        ...plain,
        before: oddly((res) =>
          res.socket?.end("HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}{}{}{}"),
        ),
      },
    ],
  ])("%s", async (_, style) => {
    await using service = await frameworkService(style);
    const patience = { ...quick, timeoutMs: 2_000, attempts: 2 };
    const { profile, assumptions } = await verifyWhole({ baseUrl: service.url, apiToken }, { patience });
    expect(profile.responses).toMatchObject({ created: { status: 200 }, invalid_body: { status: 400 } });
    expect(assumptions.find(({ id }) => id === "old-token")?.value).toBe("rejected");
  });

  it.each([
    ["with $& and $'", (n: number) => `$&$'$\`$1-${n}`],
    ["of 30 kB", (n: number) => `${n}-${"t".repeat(30_000)}`],
  ])("whose tokens are odd: %s", async (_, token) => {
    const tokens = new Map<unknown, string>();
    const oddToken = (one: unknown) => {
      const known = tokens.get(one) ?? token(tokens.size);
      tokens.set(one, known);
      return known;
    };
    await using service = await frameworkService({
      ...plain,
      deviate: (correct) => {
        const { user_group } = Object(correct.body);
        if (user_group === undefined) return correct;
        const group = { ...user_group, token: oddToken(user_group.token) };
        return { ...correct, body: { ...Object(correct.body), user_group: group } };
      },
    });
    const { profile, replay } = await verifyWhole({ baseUrl: service.url, apiToken });
    expect(profile.responses).toMatchObject({ created: { status: 200 } });
    expect(replay.of - replay.same).toBeLessThan(replay.of / 2);
    expect(JSON.stringify(profile)).not.toContain("ttttttttttttttttt");
  });
});

it.each(["a-", "1", "{", '"', "%2", "&#x", "eyJ", "//", "\\u"])(
  "verify needs no more than a plain service for 100 kB of %s in every rejection",
  async (part) => {
    const cost = async (body: string) => {
      await using service = await frameworkService({
        reject: () => ({ status: 400, body, type: "text/plain" }),
      });
      const before = process.cpuUsage();
      await verifyWhole({ baseUrl: service.url, apiToken });
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1e6;
    };
    const usual = await cost("no");
    // Twice as much, and what sending 10 MB in this process takes.
    expect(await cost(part.repeat(100_000 / part.length))).toBeLessThan(2 * usual + 3);
  },
);

describe("verify keeps secrets", () => {
  const token = 'se/cr+et&"<=%2Ftok';
  const hidden = ["hunter two", "rootpw", "sk_live_51H8abcDEF", "eyJhbGciOiJIUzI1", "s3ss", "p4ss"];
  const env = {
    jwt: "s3ss",
    session: "s3ss",
    pwd: "p4ss",
    passwd: "p4ss",
    passphrase: "p4ss",
    auth: "p4ss",
    bearer: "s3ss",
    cookie: "s3ss",
    signature: "s3ss",
    credentials: { user: "s3ss" },
    dsn: "p4ss",
    DB_PASSWORD: "hunter two",
    database: "mysql://root:rootpw@db/x",
    anything: "sk_live_51H8abcDEF",
    note: "eyJhbGciOiJIUzI1.eyJzdWIiOiIx.abc",
  };
  const base64 = Buffer.from(`x${token}`).toString("base64");
  const escaped = JSON.stringify(token).replaceAll("/", "\\/").replaceAll("+", "\\u002B");
  const html = token
    .replaceAll("&", "&amp;")
    .replaceAll("/", "&#x2F;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;");
  const echoes = { plain: token, escaped, percent: encodeURIComponent(token), html, base64, env };
  const accepted = (style: Style): Style => ({
    ...style,
    before: (request, res) => {
      // The service knows this API token only.
      if (request.headers.authorization === `Token ${token}`)
        request.headers.authorization = `Token ${apiToken}`;
      return style.before?.(request, res);
    },
  });

  it.each<[string, Style]>([
    ["in JSON", { reject: () => ({ status: 400, body: { success: 0, ...echoes } }) }],
    ["in text", { reject: () => ({ status: 400, body: `<pre>${JSON.stringify(echoes)} ${html}</pre>` }) }],
    [
      "in a header",
      { reject: () => ({ ...failed, headers: { "WWW-Authenticate": `Token ${token} ${base64}` } }) },
    ],
    ["in groups", { ...plain, addToGroup: () => ({ ...echoes }), addToBody: () => ({ env }) }],
  ])("%s", async (_, style) => {
    await using service = await frameworkService(accepted(style));
    const out = join(folder, "secrets.json");
    rmSync(out, { force: true });
    const flags = ["--against", service.url, "--api-token", token, "--yes", "--out", out];
    const shown = await runHere(["verify", ...flags]);
    const json = await runHere(["verify", ...flags, "--json"]);
    const all = [shown.stdout, shown.stderr, json.stdout, json.stderr, readFileSync(out, "utf8")];
    for (const text of all) {
      const decoded = text.replaceAll("\\\\", "\\").replaceAll('\\"', '"');
      for (const secret of [token, escaped.slice(1, -1), encodeURIComponent(token), html, base64, ...hidden])
        for (const form of [text, decoded]) expect(form).not.toContain(secret);
    }
  });
});

it("verify sends a wrong API token once, also if the service throttles it", async () => {
  const wrong: unknown[] = [];
  await using service = await frameworkService({
    ...plain,
    before: ({ headers: { authorization } }) => {
      if (authorization === `Token ${apiToken}`) return undefined;
      if (authorization !== undefined) wrong.push(authorization);
      return { ...failed, status: 429 };
    },
  });
  const { assumptions } = await verifyWhole({ baseUrl: service.url, apiToken });
  expect(wrong.length).toBeGreaterThan(2);
  expect(wrong).toEqual([...new Set(wrong)]);
  expect(assumptions.find(({ id }) => id === "api-tokens")).toMatchObject({ value: null, unanswered: true });
});

describe("verify leaves the groups of others alone", () => {
  it("if the service finds a group of somebody for every id", async () => {
    const user_group = { team_id: 7, provided_id: "somebody", name: "Somebody", token: "token-of-somebody" };
    const sent: { method: string; json: object }[] = [];
    await using service = await frameworkService({
      ...plain,
      before: ({ method, json }) => {
        sent.push({ method, json });
        return { status: 200, body: { success: 1, new_user_group: false, user_group } };
      },
    });
    const { facts } = await verifyWhole({ baseUrl: service.url, apiToken });
    expect(facts.find(({ id }) => id === "flag")).toMatchObject({ verdict: "broken" });
    expect(JSON.stringify(sent)).not.toContain("somebody");
    const ids = sent.flatMap(({ json }) => ("user_group_id" in json ? [json.user_group_id] : []));
    expect(new Set(ids).size).toBe(ids.length);
  });

  /** A service that finds what an id becomes, and notes what is sent about groups of another run. */
  async function sharedService(toText: (id: unknown) => string) {
    const groups = new Map<string, { name: string; token: string; run: number }>();
    const touched: unknown[] = [];
    let run = 0;
    let tokens = 0;
    const respond = (method: string, body: { [field: string]: unknown }): Sent => {
      if (method === "POST") {
        const group = [...groups.values()].find(({ token }) => token === body.current_token);
        if (group === undefined) return failed;
        if (group.run !== run) touched.push(body);
        group.token = `token-${++tokens}`;
        return { status: 200, body: { success: 1, user_group: { team_id: 7, ...group } } };
      }
      const id = toText(body.user_group_id);
      const name = String(body.name);
      if (id.length > 32 || typeof body.name !== "string") return failed;
      const found = groups.get(id);
      if (found && found.run !== run) touched.push(["found", body]);
      const isTaken = [...groups].some(([other, group]) => other !== id && group.name === name);
      if (isTaken) return { ...failed, status: 409 };
      const group = found ?? { name, token: `token-${++tokens}`, run };
      groups.set(id, group);
      const user_group = { team_id: 7, provided_id: id, name: group.name, token: group.token };
      return { status: 200, body: { success: 1, new_user_group: !found, user_group } };
    };
    const service = await frameworkService({
      ...plain,
      before: ({ method, path, json, headers, req }) => {
        if (path !== "/api/user" || !["GET", "POST"].includes(method)) return failed;
        if (headers.authorization !== `Token ${apiToken}` || Object.keys(json).length === 0) return failed;
        return req.headers["content-type"] === "application/json" ? respond(method, json) : failed;
      },
    });
    return {
      ...service,
      touched,
      nextRun: () => {
        run++;
      },
    };
  }

  it.each<[string, (id: unknown) => string]>([
    ["as PHP", (id) => (Array.isArray(id) ? "Array" : String(id ?? ""))],
    ["as Python", (id) => (id === null || id === undefined ? "None" : String(id))],
    ["in lower case", (id) => String(id).toLowerCase().trim()],
  ])(
    "in a second run on a service that makes texts of ids %s, with unique names and short ids",
    async (_, toText) => {
      const service = await sharedService(toText);
      const target = { baseUrl: service.url, apiToken };
      const first = await verifyWhole(target);
      service.nextRun();
      const second = await verifyWhole(target);
      // A missing id becomes the same text in each run. That is noticed, and nothing more is sent about the group.
      expect(service.touched.filter((one) => !Array.isArray(one))).toEqual([]);
      expect(service.touched.length).toBeLessThanOrEqual(1);
      // The first run has used the empty name.
      const known = ({ assumptions }: WholeReport) => assumptions.filter(({ id }) => id !== "empty-strings");
      expect(known(second)).toEqual(known(first));
      expect(second.prefix).not.toBe(first.prefix);
      await service[Symbol.asyncDispose]();
    },
  );
});

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { learnResponses } from "../../../src/lab/verify/learn/learn-responses.js";
import { compareResponses } from "../../../src/lab/verify/replay/compare.js";
import { limits } from "../../../src/lab/verify/service/budget.js";
import { OwnGroups } from "../../../src/lab/verify/service/own-groups.js";
import { readResponse } from "../../../src/lab/verify/service/received-response.js";
import { sendRequest } from "../../../src/lab/verify/service/send-request.js";
import { Secrets } from "../../../src/lab/verify/text/secrets.js";
import type { Report } from "../../../src/lab/verify/verify-findings.js";
import { verifyService } from "../../../src/lab/verify/verify-service.js";
import { runHere } from "../../cli/run-here.js";
import { apiTokens, frameworkService, type Sent, type Style } from "./framework-service.js";
import { askQuestions, quick, verifyWhole } from "./known-service.js";
import { plainServer } from "./plain-server.js";

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

it("verify counts the groups of both teams", async () => {
  await using service = await countingService(plain);
  const { groups } = await verifyWhole({ baseUrl: service.url, apiToken, secondApiToken: apiTokens[1] });
  expect(groups).toBe(service.counted.groups);
});

const endless = (res: ServerResponse) => {
  res.writeHead(400, { "Content-Type": "application/json" });
  const timer = setInterval(() => res.write(" "), 5);
  res.on("close", () => clearInterval(timer));
};

type Respond = (res: ServerResponse) => unknown;

const deep = `${"[".repeat(3_000)}${"]".repeat(3_000)}`;
/** Responses that prove nothing about the service, with the reason. */
const unusable: readonly (readonly [string, Respond, RegExp])[] = [
  [
    "with 2,000 values in a list",
    (res) => res.writeHead(400).end(JSON.stringify({ list: Array.from({ length: 2_000 }, () => ({})) })),
    /more than 2000 values/,
  ],
  [
    "with 3,000 levels of JSON",
    (res) => res.writeHead(400).end(`{"a":${deep}}`),
    /more than 100 levels deep/,
  ],
  ["with status 600", (res) => res.writeHead(600).end("{}"), /has the status 600/],
  ["with status 999", (res) => res.writeHead(999).end("{}"), /has the status 999/],
  [
    "of 40 MB",
    (res) => res.writeHead(400).end(Buffer.alloc(40_000_000, " ")),
    /more than 1 million characters/,
  ],
  ["without an end", endless, /no complete response within 1 s/],
  [
    "shorter than announced",
    (res) => res.writeHead(400, { "Content-Length": 9 }).write("{}", () => res.destroy()),
    /aborted/,
  ],
  [
    "longer than announced",
    (res) => res.socket?.end("HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}{}{}{}"),
    /Parse Error/,
  ],
];
const withoutBody: Respond = (res) => res.writeHead(400).end();
describe("an odd response", () => {
  const receive = async (respond: Respond) => {
    await using server = await plainServer((_, res) => respond(res));
    const request = { method: "GET", path: "/api/user", headers: {}, text: "{}" };
    return await sendRequest(server.url, request, { timeoutMs: 1_000 });
  };

  it.each(unusable)("is not used: %s", async (_, respond, reason) => {
    await expect(receive(respond)).rejects.toThrow(reason);
  });

  it("is used if it has no body", async () => {
    expect(await receive(withoutBody)).toMatchObject({ status: 400, text: "", json: undefined });
  });
});

describe("verify goes on", () => {
  it("after every odd response", async () => {
    const odd = [...unusable.map(([, respond]) => respond), withoutBody];
    let sent = 0;
    await using service = await frameworkService({
      ...plain,
      before: ({ method, json }, res) => {
        const isOdd = "name" in json && typeof json.name !== "string";
        const respond = method === "GET" && isOdd ? odd[sent] : undefined;
        if (respond === undefined) return undefined;
        sent++;
        respond(res);
        return "handled";
      },
    });
    const patience = { ...quick, timeoutMs: 2_000 };
    const { profile, assumptions } = await verifyWhole({ baseUrl: service.url, apiToken }, { patience });
    expect(sent).toBe(odd.length);
    expect(profile.responses).toMatchObject({ created: { status: 200 }, invalid_body: { status: 400 } });
    expect(assumptions.find(({ id }) => id === "old-token")?.value).toBe("rejected");
  });

  it("if tokens are long, and have a meaning for a replacement", async () => {
    const tokens = new Map<unknown, string>();
    const ownTokens = new Map<unknown, unknown>();
    const oddToken = (own: unknown) => {
      const odd = tokens.get(own) ?? `$&$'$\`$1-${tokens.size}-${"t".repeat(30_000)}`;
      tokens.set(own, odd);
      ownTokens.set(odd, own);
      return odd;
    };
    await using service = await frameworkService({
      ...plain,
      before: ({ json }) => {
        const own = ownTokens.get(json.current_token);
        if (own !== undefined) Object.assign(json, { current_token: own });
        return undefined;
      },
      deviate: (correct) => {
        const { user_group } = Object(correct.body);
        if (user_group === undefined) return correct;
        const group = { ...user_group, token: oddToken(user_group.token) };
        return { ...correct, body: { ...Object(correct.body), user_group: group } };
      },
    });
    const { profile, replay } = await verifyWhole({ baseUrl: service.url, apiToken });
    expect(profile.responses).toMatchObject({ created: { status: 200 } });
    expect([replay.same, replay.exact]).toEqual([replay.of, replay.of]);
    expect(JSON.stringify(profile)).not.toContain("ttttttttttttttttt");
  });
});

describe("100 kB of one text in every rejection", () => {
  const parts = ["a-", "1", "{", '"', "%2", "&#x", "eyJ", "//", "\\u"];
  const long = (part: string) => part.repeat(100_000 / part.length);
  /** Processor seconds. A search that does not take linear time takes 10 and more. */
  const cost = async (work: () => unknown) => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };

  it.each([
    ...parts.map((part) => ["text/plain", part] as const),
    ...["a-", "1."].map((part) => ["application/json", part] as const),
  ])("is learned, compared and shown in linear time: %s, %s", async (type, part) => {
    const secrets = new Secrets([apiToken]);
    const groups = new OwnGroups();
    const clean = (text: string) => secrets.hide(groups.withoutOwn(text, "example"));
    const entries = [1, 2, 3].map((n) => {
      const body = { user_group_id: groups.newId(), name: groups.newName() };
      const request = { method: "GET", path: "/api/user", headers: {}, text: JSON.stringify(body) };
      const text = `${n}${long(part)} ${n}`;
      const json = JSON.stringify({ success: 0, message: text });
      const headers = { "content-type": type };
      const response = readResponse({ status: 400, headers, text: type === "text/plain" ? text : json });
      const named = { name: "invalid_body.name.type", wrongField: "name", mockHeaders: {} };
      return { question: "any", request, response, ...named };
    });
    const spent = await cost(() => {
      const { examplePaths } = learnResponses(entries, clean);
      const mocked = readResponse({ status: 404, headers: {}, text: "" });
      const played = entries.flatMap((entry) =>
        [entry.response, mocked].map((one) => ({ ...entry, mocked: one })),
      );
      expect(compareResponses(played, { secrets, clean, examplePaths })).toMatchObject({ same: 3, of: 6 });
    });
    expect(spent).toBeLessThan(2);
  });

  it("costs verify not much more than a short text", async () => {
    let sent = 0;
    await using service = await frameworkService({
      reject: () => ({ status: 400, body: long(parts[sent++ % parts.length] ?? ""), type: "text/plain" }),
    });
    // What sending 10 MB in this process takes, too.
    expect(await cost(() => verifyWhole({ baseUrl: service.url, apiToken }))).toBeLessThan(10);
    expect(sent).toBeGreaterThan(parts.length);
  });
});

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

  /** Repeats them in groups, in JSON, in text, or in a header. */
  const repeating: Style = {
    addToGroup: () => ({ ...echoes }),
    addToBody: () => ({ env }),
    reject: ({ kind }) => {
      if (kind === "unauthorized" || kind === "method")
        return { ...failed, headers: { "WWW-Authenticate": `Token ${token} ${base64}` } };
      if (kind === "field" || kind === "object") return { status: 400, body: { success: 0, ...echoes } };
      return { status: 400, body: `<pre>${JSON.stringify(echoes)} ${html}</pre>` };
    },
  };

  it.each([
    ["text", []],
    ["JSON", ["--json"]],
  ])("of groups, JSON, texts and headers, if it prints %s", async (_, flags) => {
    await using service = await frameworkService(accepted(repeating));
    const out = join(folder, "secrets.json");
    rmSync(out, { force: true });
    const usual = ["--against", service.url, "--api-token", token, "--yes", "--out", out];
    const { stdout, stderr } = await runHere(["verify", ...usual, ...flags]);
    const profile = readFileSync(out, "utf8");
    const learned = JSON.parse(profile).responses;
    expect(Object(learned.created.body).user_group).toHaveProperty("plain");
    expect(learned.invalid_body.body).toHaveProperty("plain");
    expect(learned.invalid_json.text).toMatch(/^<pre>/);
    expect(learned.unauthorized.headers["WWW-Authenticate"]).toMatch(/^Token /);
    for (const text of [stdout, stderr, profile]) {
      const decoded = text.replaceAll("\\\\", "\\").replaceAll('\\"', '"');
      for (const secret of [token, escaped.slice(1, -1), encodeURIComponent(token), html, base64, ...hidden])
        for (const form of [text, decoded]) expect(form).not.toContain(secret);
    }
  });
});

it("verify sends a wrong API token once, also if the service is busy or throttles it: the account may be locked", async () => {
  const wrong: unknown[] = [];
  await using service = await frameworkService({
    ...plain,
    before: ({ headers: { authorization } }) => {
      if (authorization === `Token ${apiToken}`) return undefined;
      if (authorization !== undefined) wrong.push(authorization);
      // The first two are questions of their own.
      return { ...failed, status: wrong.length <= 2 ? 503 : 429 };
    },
  });
  const { assumptions, unanswered } = await verifyWhole({ baseUrl: service.url, apiToken });
  expect(wrong.length).toBeGreaterThan(2);
  expect(wrong).toEqual([...new Set(wrong)]);
  expect(assumptions.find(({ id }) => id === "api-tokens")).toMatchObject({ value: null, unanswered: true });
  expect(unanswered).not.toEqual([]);
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
      const first = await askQuestions(target);
      service.nextRun();
      const second = await verifyWhole(target);
      // A missing id becomes the same text in each run. That is noticed, and nothing more is sent about the group.
      expect(service.touched.filter((one) => !Array.isArray(one))).toEqual([]);
      expect(service.touched.length).toBeLessThanOrEqual(1);
      // The first run has used the empty name.
      const known = ({ assumptions }: Report) => assumptions.filter(({ id }) => id !== "empty-strings");
      expect(known(second)).toEqual(known(first));
      expect(second.prefix).not.toBe(first.prefix);
      await service[Symbol.asyncDispose]();
    },
  );
});

import type { ServerResponse } from "node:http";
import { describe, expect, it, vi } from "vitest";
import type { SituationId } from "../../../src/fake/contract/situations.js";
import { parseJson } from "../../../src/foundation/json.js";
import { startMock } from "../../../src/index.js";
import { CannotStart } from "../../../src/lab/verify/ask/interview.js";
import { parts } from "../../../src/lab/verify/ask/questions.js";
import { limits } from "../../../src/lab/verify/service/own-groups.js";
import { type Report, type VerifyOptions, verifyService } from "../../../src/lab/verify/verify-service.js";
import { fastPatience, targetAt } from "./asking.js";
import { type FakeService, fakeService, type Oddities, type Request, type Response } from "./fake-service.js";

// The service under verify may be slow, odd, broken or hostile, and it is somebody's production.

vi.setConfig({ testTimeout: 120_000 });

const run = (service: { url: string }, options: VerifyOptions = {}) =>
  verifyService(targetAt(service.url), { patience: fastPatience, ...options });

/** A run that may also be unable to start. */
async function tryRun(service: FakeService): Promise<Report | undefined> {
  try {
    return await run(service);
  } catch (error) {
    if (error instanceof CannotStart) return undefined;
    throw error;
  }
}

const failing = (status: number): Response => ({ status, body: { success: 0, error: "later" } });
const isCreation = ({ body }: Response) => Object(body).new_user_group === true;
const everySecond = () => {
  let n = 0;
  return () => (++n % 2 === 0 ? failing(504) : undefined);
};
const afterTheFourth = (status: number) => {
  let n = 0;
  return () => (++n > 4 ? failing(status) : undefined);
};

describe("verify stays within its budget if the service", () => {
  const stranger = (name: string, oddities: () => Oddities) => [name, oddities] as const;
  const afterThree = (status: number) => {
    let n = 0;
    return (response: Response) => (isCreation(response) && ++n > 3 ? failing(status) : response);
  };
  it.each([
    stranger("creates a group and then says 504", () => ({ after: () => failing(504) })),
    stranger("creates groups and then says 504, after the third", () => ({ after: afterThree(504) })),
    stranger("creates groups and then says 500, after the third", () => ({ after: afterThree(500) })),
    stranger("creates groups and then says 422, after the third", () => ({ after: afterThree(422) })),
    stranger("says 504 to everything after the fourth", () => ({ before: afterTheFourth(504) })),
    stranger("says 504 to every second request", () => ({ before: everySecond() })),
    stranger("says 429 after the fourth request", () => ({ before: afterTheFourth(429) })),
  ])("%s", async (_, oddities) => {
    await using service = await fakeService(oddities());
    const report = await tryRun(service);
    const { client, groups } = report?.run ?? {};
    expect(service.requests.length).toBeLessThanOrEqual(client?.requests ?? limits.requests);
    expect(service.groups.length).toBeLessThanOrEqual(groups?.count ?? limits.groups);
    expect(client?.requests ?? 0).toBeLessThanOrEqual(limits.requests);
    expect(groups?.count ?? 0).toBeLessThanOrEqual(limits.groups);
  });

  it.each([422, 500])("stores what is wrong, and says %i then", async (status) => {
    const stored: unknown[] = [];
    await using service = await fakeService({
      before: ({ method, path, text }) => {
        const { user_group_id: id, name } = Object(parseJson(text));
        if (method !== "GET" || path !== "/api/user" || (typeof id === "string" && typeof name === "string"))
          return undefined;
        // By its id: one without any, one with null, and so on.
        if (!stored.includes(id)) stored.push(id);
        return failing(status);
      },
    });
    await run(service);
    // Some were created in another request.
    const only = stored.filter((id) => !service.groups.some((group) => group.id === id));
    expect(only.length + service.groups.length).toBeLessThanOrEqual(limits.groups);
  });
});

/** What was sent in a part of the questions, by what only these send. */
const isGuarded = ({ method, json, text }: Request) =>
  method === "POST" && (text === "" || typeof json.current_token !== "string" || json.current_token === "");

describe("a service that takes a missing token for any group", () => {
  const others = ["somebody", "somebody else"];

  it.each([
    ["null", ({ json }: Request) => json.current_token === null],
    ["missing", ({ json, text }: Request) => text === "{}" && json.current_token === undefined],
    ["empty", ({ json }: Request) => json.current_token === ""],
    ["a number", ({ json }: Request) => typeof json.current_token === "number"],
  ])("is asked once, and nothing like it afterwards: %s", async (_, rotatesWithout) => {
    await using service = await fakeService({ others, rotatesWithout });
    const report = await run(service);
    const rotated = service.requests.filter((one) => isGuarded(one) && rotatesWithout(one));
    expect(rotated.length).toBe(1);
    const [row, text] = [...report.run.foreign][0] ?? [];
    expect(text).toContain('The service rotated the token of a group that verify did not create: "somebody"');
    expect(report.learned.situations).not.toHaveProperty([row ?? ""]);
    const last = service.requests.findLastIndex(isGuarded);
    expect(service.requests.slice(0, last).filter(isGuarded)).not.toContain(rotated[0]);
    // In the next run, the row is not asked again.
    const again = await run(service, { knownBroken: [...report.run.foreign.keys()] });
    expect(again.run.notAsked.get(row ?? "created")?.kind).toBe("in verified.broken");
  });

  it("is not sent other fields with a missing id before it has rejected the id alone", async () => {
    const group = { provided_id: "somebody", token: "x", name: "y" };
    const body = { success: 1, new_user_group: false, user_group: group };
    await using service = await fakeService({
      before: ({ method, text }) => (method === "GET" && text === "{}" ? { status: 200, body } : undefined),
    });
    const report = await run(service);
    const withoutId = service.requests.filter(({ method, json }) => {
      return method === "GET" && json.user_group_id === undefined && json.name !== undefined;
    });
    expect(withoutId).toEqual([]);
    expect([...report.run.foreign.keys()]).toEqual(["user_group_id: missing"]);
    expect(report.run.notAsked.get("user_group_id: null")?.kind).toBe("not after a group of somebody else");
  });
});

it("verify never sends a guarded request twice, also where there is no response", async () => {
  await using service = await fakeService({
    before: (request, res) => {
      if (!isGuarded(request)) return undefined;
      res.destroy();
      return true;
    },
  });
  const report = await run(service);
  const texts = service.requests
    .filter(isGuarded)
    .map(({ text, headers }) => `${headers["content-type"]} ${text}`);
  expect(texts).toEqual([...new Set(texts)]);
  expect(report.isStopped).toBe(false);
  expect(report.run.notAsked.get("current_token: null")?.kind).toBe("a response that cannot be learned");
});

describe("wrong API tokens", () => {
  const isWrong = ({ headers }: Request) =>
    !/^Token (test|other)-api-token$/.test(String(headers.authorization));

  it("are the last requests of all, each sent once", async () => {
    await using service = await fakeService();
    await run(service);
    const first = service.requests.findIndex(isWrong);
    const later = service.requests.slice(first);
    expect(service.requests.filter(isWrong).length).toBe(Object.keys(parts.apiTokens.questions).length);
    // A look-up stands between them: nothing else.
    expect(later.length - later.filter(isWrong).length).toBeLessThanOrEqual(1);
  });

  it("do not spoil the profile where the third one locks the account", async () => {
    let wrong = 0;
    await using locking = await fakeService({
      before: (request) => {
        if (isWrong(request)) wrong++;
        return wrong > 3 ? { status: 401, body: { success: 0, error: "who are you?" } } : undefined;
      },
    });
    await using open = await fakeService();
    const [locked, plain] = [await run(locking), await run(open)];
    expect(locked.learned.situations).toEqual(plain.learned.situations);
  });
});

it("a service that throttles after five rejections in a row gets the profile that it has without", async () => {
  let rejections = 0;
  await using throttling = await fakeService({
    before: () => (rejections >= 5 ? failing(429) : undefined),
    after: (response) => {
      rejections = Object(response.body).success === 1 ? 0 : rejections + 1;
      return response;
    },
  });
  await using open = await fakeService();
  const [throttled, plain] = [await run(throttling), await run(open)];
  expect(throttled.learned.situations).toEqual(plain.learned.situations);
});

describe("a blank name that breaks", () => {
  it("the whole service is not learned, and what was learned before stays", async () => {
    let isBroken = false;
    await using service = await fakeService({
      before: ({ json }) => {
        if (json.name === "   ") isBroken = true;
        return isBroken ? { status: 500, body: "Internal Server Error" } : undefined;
      },
    });
    const { learned, run: done } = await run(service);
    expect(done.ended).toContain('after "doubtful values"');
    expect(learned.situations).not.toHaveProperty(["name: blank"]);
    expect(learned.situations).toHaveProperty(["name: number"]);
    expect(learned.situations).not.toHaveProperty(["no API token"]);
  });

  it("its group does not spoil anything else", async () => {
    const broken = new Set<unknown>();
    await using service = await fakeService({
      before: ({ json: { name, user_group_id: id } }) => {
        if (name === "   ") broken.add(id);
        return broken.has(id) ? { status: 500, body: "Internal Server Error" } : undefined;
      },
    });
    const { learned, run: done } = await run(service);
    expect(done.ended).toBeUndefined();
    expect(learned.situations).toHaveProperty(["wrong API token"]);
  });
});

describe("verify goes on after a response", () => {
  const deep = `{"a":${"[".repeat(3_000)}${"]".repeat(3_000)}}`;
  const raw = (text: string) => (res: ServerResponse) => res.socket?.end(text);
  const unlearnable = "a response that cannot be learned";
  it.each<[string, (res: ServerResponse) => unknown, string | undefined]>([
    ["with 3,000 levels of JSON", (res) => res.writeHead(400).end(deep), unlearnable],
    ["with status 600", (res) => res.writeHead(600).end("{}"), unlearnable],
    ["with status 999", (res) => res.writeHead(999).end("{}"), unlearnable],
    ["of 40 MB", (res) => res.writeHead(400).end(Buffer.alloc(40_000_000, " ")), unlearnable],
    [
      "with status 101",
      raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
      unlearnable,
    ],
    ["without a byte", (res) => res.destroy(), "no response"],
    ["that is not HTTP", raw("SSH-2.0-OpenSSH\r\n"), "no response"],
    [
      "shorter than announced",
      raw("HTTP/1.1 400 Bad Request\r\nContent-Length: 99\r\n\r\n{}"),
      "no response",
    ],
    ["with status 204", (res) => res.writeHead(204).end(), unlearnable],
    ["without a body", (res) => res.writeHead(400).end(), undefined],
  ])("%s", async (_, respond, kind) => {
    await using service = await fakeService({
      before: ({ json }, res) => {
        const isOdd = typeof json.name === "number" || typeof json.name === "boolean";
        if (isOdd) respond(res);
        return isOdd || undefined;
      },
    });
    const { run: done, learned, isStopped } = await run(service);
    expect(isStopped).toBe(false);
    expect(done.notAsked.get("name: number")?.kind).toBe(kind);
    expect(learned.situations).toHaveProperty(["wrong API token"]);
  });

  it("that never ends, and stops after three of them in a row", async () => {
    await using service = await fakeService({
      before: ({ json }, res) => {
        if (typeof json.name !== "number" && typeof json.name !== "boolean" && !Array.isArray(json.name))
          return undefined;
        res.writeHead(400).write("{");
        return true;
      },
    });
    const patience = { ...fastPatience, timeoutMs: 1_000, totalMs: 1_500 };
    const { isStopped, run: done } = await run(service, { patience });
    expect(isStopped).toBe(true);
    expect(done.ended).toContain("did not respond to 3 questions in a row");
  });
});

it.each(["a-".repeat(50_000), "1".repeat(100_000), "{".repeat(100_000), '"'.repeat(100_000)])(
  "a service with responses of 100 kB costs little: %.9s",
  async (text) => {
    await using service = await fakeService({
      after: (response) => (Object(response.body).success === 1 ? response : { ...response, body: text }),
    });
    const began = performance.now();
    await run(service);
    expect(performance.now() - began).toBeLessThan(20_000);
  },
);

it.each([
  ["that look like patterns of replacements", "$&$'$1-"],
  ["of 30 kB", "t".repeat(30_000)],
])("tokens %s are learned as any other", async (_, beginning) => {
  await using service = await fakeService({
    after: (response) => JSON.parse(JSON.stringify(response).replaceAll("token-", () => beginning)),
  });
  const { learned } = await run(service);
  expect(learned.situations).toHaveProperty(["wrong API token"]);
  expect(JSON.stringify(learned.situations)).not.toContain("ugm-");
});

it("a second run finds nothing changed where ids are short, and names unique in any case", async () => {
  const ids = new Map<string, unknown>();
  await using service = await fakeService({
    before: ({ method, path, json: { user_group_id: id, name } }) => {
      if (method !== "GET" || path !== "/api/user" || typeof id !== "string") return undefined;
      if (id.length > 32) return { status: 422, body: { success: 0, error: "at most 32" } };
      if (typeof name !== "string" || name === "") return undefined;
      const isTaken = (ids.get(name.toLowerCase()) ?? id) !== id;
      if (!isTaken) ids.set(name.toLowerCase(), id);
      return isTaken ? { status: 409, body: { success: 0, error: "the name is taken" } } : undefined;
    },
  });
  const first = await run(service);
  expect(first.learned.situations["user_group_id: long"]).toMatchObject({ over: 32 });
  expect(first.learned.situations["name of another group"]).toMatchObject({ status: 409 });
  const expected = first.learned.situations;
  for (const isWhole of [false, true]) {
    const again = await run(service, { expected, isWhole });
    expect(again.changes).toEqual([]);
    expect(again.isStopped).toBe(false);
  }
});

it("an aborted run keeps what it has learned", async () => {
  const interruption = new AbortController();
  await using service = await fakeService({
    before: ({ json }) => {
      if (typeof json.name === "number") interruption.abort();
      return undefined;
    },
  });
  const { learned, isStopped } = await run(service, { signal: interruption.signal });
  expect(isStopped).toBe(true);
  expect(learned.situations).toHaveProperty(["current_token: unknown"]);
  expect(learned.situations).not.toHaveProperty(["wrong API token"]);
});

it("a service that rejects signs gets ids and names of letters and digits", async () => {
  await using service = await fakeService({
    before: ({ json: { user_group_id: id } }) =>
      typeof id === "string" && /[^a-z0-9]/i.test(id)
        ? { status: 422, body: { success: 0, error: "bad id" } }
        : undefined,
  });
  const { learned, run: done } = await run(service);
  expect(done.groups.prefix).toMatch(/^ugm\w{6}$/);
  expect(learned.situations["user_group_id: characters"]).toMatchObject({ characters: "A-Z a-z 0-9" });
});

it("a service whose ids have few signs gets about 30 further requests, too", async () => {
  await using service = await fakeService({
    before: ({ json: { user_group_id: id } }) =>
      typeof id === "string" && /[^a-z0-9-]/.test(id)
        ? { status: 422, body: { success: 0, error: "bad id" } }
        : undefined,
  });
  const { checked } = await run(service);
  expect(checked?.of).toBeGreaterThanOrEqual(28);
});

it("a service that accepts only some values is asked with those of the sample", async () => {
  const mapping = { 12: "warehouse", 15: "308" };
  const isKnown = (value: unknown) =>
    Object.entries(Object(value)).every(([key, one]) => Object(mapping)[key] === one) && value !== undefined;
  await using service = await fakeService({
    before: ({ method, json }) => {
      const isCreation = method === "GET" && typeof json.user_group_id === "string";
      return isCreation && !isKnown(json.mapping)
        ? { status: 422, body: { success: 0, error: "which mapping?" } }
        : undefined;
    },
  });
  await expect(run(service)).rejects.toThrow("status 422");
  const target = targetAt(service.url, { sample: { user_group_id: "x", name: "y", mapping } });
  const { learned } = await verifyService(target, { patience: fastPatience });
  expect(learned.situations["mapping: missing"]).toMatchObject({ status: 422 });
  expect(learned.situations["mapping value: number"]).toMatchObject({ status: 422 });
  expect(learned.situations["name: boolean"]).toBe("rejected");
  expect(learned.situations["existing group: other mapping"]).toBe("accepted");
});

it("a service that checks only new groups is asked about these first, and has its characters learned", async () => {
  const bad = (error: string): Response => ({ status: 422, body: { success: 0, error } });
  const known = new Map<string, object>();
  await using service = await fakeService({
    before: ({ method, path, json: { user_group_id: id, mapping, properties } }) => {
      if (method !== "GET" || path !== "/api/user" || typeof id !== "string") return undefined;
      const found = known.get(id);
      // What only a group that exists has to be asked about.
      if (found !== undefined && properties === null) return bad("properties must be an object");
      if (found !== undefined) return { status: 200, body: { ...found, new_user_group: false } };
      if (!/^[\w-]+$/.test(id)) return bad("only letters, digits, hyphens and underscores");
      const isText = (value: unknown) => typeof value === "string";
      return Object.values(Object(mapping)).every(isText) ? undefined : bad("mapping values must be texts");
    },
    after: (response, { json }) => {
      if (isCreation(response)) known.set(String(json.user_group_id), Object(response.body));
      return response;
    },
  });
  const { learned, run: done } = await run(service);
  expect(learned.situations).toMatchObject({
    "user_group_id: characters": { characters: "A-Z a-z 0-9 - _" },
    "mapping value: number": { body: { error: "mapping values must be texts" } },
    "properties: null": { body: { error: "{field} must be an object" } },
    "properties: empty list": "accepted",
    "existing group: name number": "accepted",
  });
  expect([...done.notAsked.values()].map(({ message }) => message).join()).not.toContain("at most");
});

it("nothing is sent about a group whose creation was not seen", async () => {
  await using service = await fakeService({
    after: (response) => (isCreation(response) ? failing(500) : response),
  });
  await expect(run(service)).rejects.toThrow(CannotStart);
  const ids = service.requests.map(({ json }) => json.user_group_id);
  expect(ids).toEqual([...new Set(ids)]);
});

it("the mock is a service of which verify learns nothing but the table", async () => {
  await using mock = await startMock();
  const { learned } = await run({ url: mock.url });
  expect(JSON.stringify(learned.situations).toLowerCase()).not.toContain("usergroup-mock-");
  const rows: readonly SituationId[] = ["created", "found", "rotated"];
  for (const row of rows) expect(learned.situations).toHaveProperty([row]);
});

it("a redirect to the service itself is learned as a path: a test must not leave the mock", async () => {
  const location = (url: string) => ({
    status: 307,
    body: "moved",
    headers: { Location: `${url}/api/user` },
  });
  await using service = await fakeService({
    before: ({ path, headers }) => (path === "/api/user/" ? location(`http://${headers.host}`) : undefined),
  });
  const { learned } = await run(service);
  expect(learned.situations["trailing slash"]).toMatchObject({ headers: { Location: "/api/user" } });
});

it("a response without Content-Type is learned without one", async () => {
  await using service = await fakeService({
    before: ({ path }, res) => {
      if (path.startsWith("/api/user")) return undefined;
      res.writeHead(404).end();
      return true;
    },
  });
  const { learned } = await run(service);
  expect(learned.situations["other path"]).toMatchObject({ text: "", headers: { "Content-Type": null } });
});

it("an id that belongs to another team, and is rejected, is no rejected API token", async () => {
  const isOfTeam = ({ headers }: Request, token: string) => headers.authorization === `Token ${token}`;
  const taken = new Set<unknown>();
  await using service = await fakeService({
    before: (request) => {
      const { user_group_id: id } = request.json;
      if (request.method === "GET" && isOfTeam(request, "test-api-token")) taken.add(id);
      const isTaken = isOfTeam(request, "other-api-token") && taken.has(id);
      return isTaken ? { status: 403, body: { success: 0, error: "of another team" } } : undefined;
    },
  });
  const { learned } = await run(service);
  expect(learned.situations["id of the other team's group"]).toMatchObject({ status: 403 });
  expect(learned.situations).toHaveProperty(["current_token: of the other team"]);
});

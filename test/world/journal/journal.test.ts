import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { shippedSchemas } from "../../../src/generated/shipped-schemas.js";
import type { JournalFilter } from "../../../src/generated/types.js";
import { type Entry, Journal } from "../../../src/world/journal/journal.js";
import { showPage } from "../../../src/world/journal/show-entry.js";
import type { Delivered, PlannedResponse } from "../../../src/world/planned-response.js";
import { call, create, getOrCreate, rotate } from "../../call.js";
import { callInFlight } from "../../call-in-flight.js";
import { seededToken } from "../../seeded.js";
import { oneOfTheOperations, unusedMethod } from "../../unused-methods.js";
import { bothWays } from "../both-ways.js";
import { addEntry, failed, openEntry, succeeded, whole } from "../in-process.js";
import { ownWorld } from "../own-world.js";
import { refusalOf } from "../refusal.js";
import { watchCreate } from "../watched-call.js";

const ajv = new Ajv2020({ allErrors: true, strict: false });
ajv.addSchema(Object.values(shippedSchemas));
const isPage = ajv.compile({ $ref: "requests.response.json" });

describe.each(bothWays)("the journal (%s)", (_, steer) => {
  const own = ownWorld(steer);
  const journal = (query = "") => call("GET", `${own.world.url}/__admin/requests${query}`);
  const ids = async (filter?: JournalFilter) => (await own.world.requests(filter)).map(({ id }) => id);

  it("is empty before the first request", async () => {
    expect(await own.world.requests()).toEqual([]);
    expect((await journal()).body).toEqual({ requests: [], total: 0, dropped: 0, epoch: 1 });
  });

  it("shows requests and responses", async () => {
    const body = { user_group_id: "new", name: "New", properties: { deep: [1, { ü: "😀" }] } };
    const before = Date.now();
    const response = await getOrCreate(own.world.url, body, { headers: { "X-Mine": "1" } });
    const [entry] = await own.world.requests();
    expect(entry).toEqual({
      id: 1,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      operation: "get-or-create",
      outcome: "success",
      request: {
        method: "GET",
        path: "/api/user",
        headers: expect.objectContaining({
          authorization: "Token test-api-token",
          "content-type": "application/json",
          "x-mine": "1",
        }),
        body,
      },
      response: { status: 200, headers: expect.any(Object), body: response.body },
      effect: "created",
      delivery: "complete",
      durationMs: expect.any(Number),
      assumed: { "created-status": "200" },
      fault: null,
      notes: [],
    });
    expect(Date.parse(entry?.at ?? "")).toBeGreaterThanOrEqual(before);
    expect(Date.parse(entry?.at ?? "")).toBeLessThanOrEqual(Date.now());
    expect(entry?.durationMs).toBeGreaterThan(0);
    expect(response.headers).toMatchObject(entry?.response?.headers ?? {});
    expect(response.headers["usergroup-mock-assumed"]).toBe("created-status=200");
  });

  it("has entries of one shape for every kind of request and ending", async () => {
    const { url } = own.world;
    await create(url, "new");
    await rotate(url, "unheard-of");
    await create(`${url}/api/user/nowhere`, "new");
    await call("OPTIONS", `${url}/api/user`);
    await call(unusedMethod, `${url}/api/user`, {});
    await getOrCreate(url, "{ no JSON");
    await getOrCreate(url, "[]");
    await getOrCreate(url, undefined);
    await getOrCreate(url, {}, { apiToken: "unheard-of" });
    const effects = [
      { status: 503 },
      { status: 400, body: null },
      { delayMs: 1 },
      { reset: true },
      { empty: true },
      { truncate: true },
      { malformed: true },
      { dribble: true, delayMs: 1 },
    ] as const;
    for (const effect of effects) {
      await own.world.fault(effect);
      await watchCreate(url, "new");
    }
    const held = await own.world.hold();
    const waiting = create(url, "new");
    await held.arrived;
    const { body } = await journal();
    expect(isPage(body), JSON.stringify(isPage.errors)).toBe(true);
    expect(body.requests).toEqual(await own.world.requests());
    const seen = body.requests.map(({ id, outcome, fault }: Record<string, unknown>) => [id, outcome, fault]);
    expect(seen).toEqual([
      [1, "success", null],
      [2, "failure", null],
      [3, "failure", null],
      [4, "success", null],
      ...[5, 6, 7, 8, 9].map((id) => [id, "failure", null]),
      [10, "fault", 1],
      [11, "fault", 2],
      [12, "success", 3],
      [13, "fault", 4],
      [14, "fault", 5],
      [15, "fault", 6],
      [16, "fault", 7],
      [17, "success", 8],
      [18, "pending", 9],
    ]);
    await held.release();
    await waiting;
  });

  it("keeps the text of a body that is not JSON, and the last value of a repeated key", async () => {
    await getOrCreate(own.world.url, "{ no JSON");
    await getOrCreate(own.world.url, '{"user_group_id":"a","name":"A","user_group_id":"b"}');
    const bodies = (await own.world.requests()).map(({ request }) => request.body);
    expect(bodies).toEqual(["{ no JSON", { user_group_id: "b", name: "A" }]);
  });

  it("shows a request without a response as pending", async () => {
    const held = await own.world.hold();
    const waiting = create(own.world.url, "new");
    await held.arrived;
    const [pending] = await own.world.requests({ outcome: "pending" });
    expect(pending).toMatchObject({
      id: 1,
      operation: "get-or-create",
      outcome: "pending",
      request: { body: { user_group_id: "new", name: "new" } },
      response: null,
      durationMs: null,
      fault: held.id,
    });
    await held.release();
    await waiting;
    expect(await own.world.requests({ outcome: "pending" })).toEqual([]);
    expect(await own.world.requests()).toMatchObject([
      { id: 1, outcome: "success", response: { status: 200 } },
    ]);
  });

  const sendSome = async () => {
    const { url } = own.world;
    const { token } = (await create(url, "a")).body.user_group;
    await create(url, "b");
    await rotate(url, token);
    await rotate(url, token);
    await own.world.fault({ match: { user_group_id: "a" }, status: 503 });
    await create(url, "a");
    await call("GET", `${url}/nowhere`);
  };

  it.each<[filter: JournalFilter, expected: number[]]>([
    [{}, [1, 2, 3, 4, 5, 6]],
    [{ operation: "get-or-create" }, [1, 2, 5]],
    [{ operation: "rotate" }, [3, 4]],
    [{ outcome: "success" }, [1, 2, 3]],
    [{ outcome: "failure" }, [4, 6]],
    [{ outcome: "fault" }, [5]],
    [{ outcome: "pending" }, []],
    [{ user_group_id: "a" }, [1, 3, 5]],
    [{ user_group_id: "A" }, []],
    [{ after: 4 }, [5, 6]],
    [{ after: 6 }, []],
    [{ limit: 2 }, [1, 2]],
    [{ after: 1, limit: 2 }, [2, 3]],
    [{ operation: "get-or-create", outcome: "success", user_group_id: "a" }, [1]],
  ])("filters requests: %j", async (filter, expected) => {
    await sendSome();
    expect(await ids(filter)).toEqual(expected);
  });

  it("counts matching requests beyond the limit", async () => {
    await sendSome();
    const { requests, total, dropped } = (await journal("?outcome=success&limit=1")).body;
    expect([requests.length, total, dropped]).toEqual([1, 3, 0]);
  });

  it.each([
    ['{ "operatoin": "rotate" }', "/operatoin", "did you mean operation?"],
    ['{ "operation": "unknown" }', "/operation", oneOfTheOperations],
    ['{ "outcome": "lost" }', "/outcome", 'must be "success" or'],
    ['{ "after": -1 }', "/after", "must be at least 0"],
    ['{ "after": "soon" }', "/after", "must be integer"],
    ['{ "after": 1.5 }', "/after", "must be integer"],
    ['{ "limit": 0 }', "/limit", "must be at least 1"],
  ])("rejects an invalid filter: %s", async (json, path, problem) => {
    // From JSON, because TypeScript would reject it.
    const filter = JSON.parse(json);
    const { code, details, message } = await refusalOf(own.world.requests(filter));
    expect([code, details]).toEqual([
      "invalid_request",
      [{ path, message: expect.stringContaining(problem) }],
    ]);
    expect(message).toContain(problem);
    const { status, body } = await journal(`?${new URLSearchParams(filter)}`);
    expect([status, body.error.code]).toEqual([400, "invalid_request"]);
  });

  it("returns one entry by its id", async () => {
    await sendSome();
    const { status, body } = await call("GET", `${own.world.url}/__admin/requests/3`);
    expect(status).toBe(200);
    expect(body).toEqual((await own.world.requests())[2]);
  });

  it.each(["0", "7", "-1", "1.5", "abc"])("has no entry %s after 6 requests", async (id) => {
    await sendSome();
    const { status, body } = await call("GET", `${own.world.url}/__admin/requests/${id}`);
    expect([status, body.error.code]).toEqual([404, id === "7" ? "unknown_request" : "not_found"]);
  });

  it("is empty after it is cleared, but groups stay and ids continue", async () => {
    await create(own.world.url, "a");
    await create(own.world.url, "b");
    await own.world.clearRequests();
    expect((await journal()).body).toEqual({ requests: [], total: 0, dropped: 0, epoch: 1 });
    expect((await call("GET", `${own.world.url}/__admin/requests/2`)).status).toBe(404);
    expect((await create(own.world.url, "a")).body.new_user_group).toBe(false);
    expect(await ids()).toEqual([3]);
  });

  it("does not show a request that was in progress when it was cleared", async () => {
    const held = await own.world.hold();
    const waiting = create(own.world.url, "a");
    await held.arrived;
    await own.world.clearRequests();
    await held.release();
    expect((await waiting).status).toBe(200);
    await create(own.world.url, "b");
    expect(await ids()).toEqual([2]);
  });

  it("has ids without gaps and duplicates for simultaneous requests", async () => {
    const kinds = [
      (n: number) => create(own.world.url, `new-${n % 7}`),
      () => rotate(own.world.url, "unheard-of"),
      () => call("GET", `${own.world.url}/nowhere`),
    ];
    const responses = await Promise.all(Array.from({ length: 90 }, (_, n) => kinds[n % 3]?.(n)));
    const given = responses.map((response) => Number(response?.headers["usergroup-mock-request"]));
    const expected = Array.from({ length: 90 }, (_, n) => n + 1);
    expect(given.sort((a, b) => a - b)).toEqual(expected);
    expect(await ids()).toEqual(expected);
  });

  it("does not show a request after a reset whose body was half sent before it", async () => {
    const seed = await own.world.state();
    await create(own.world.url, "earlier");
    const creating = await callInFlight("GET", own.world.url, { user_group_id: "new", name: "New" });
    const rotating = await callInFlight("POST", own.world.url, { current_token: seededToken });
    await own.world.reset();
    const responses = [await creating.finish(), await rotating.finish()];
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await own.world.state()).toEqual(seed);
    expect((await journal()).body).toEqual({ requests: [], total: 0, dropped: 0, epoch: 2 });
    await create(own.world.url, "later");
    expect(await ids()).toEqual([1]);
  });

  it("shows the body of a request that was read before the body had arrived", async () => {
    const sent = { user_group_id: "new", name: "New" };
    const creating = await callInFlight("GET", own.world.url, sent);
    expect(await own.world.requests()).toMatchObject([{ outcome: "pending", request: { body: null } }]);
    const waiting = own.world.waitForRequest({ match: sent });
    await creating.finish();
    expect((await waiting).request.body).toEqual(sent);
    expect(await own.world.requests()).toMatchObject([{ outcome: "success", request: { body: sent } }]);
  });

  it("does not change when a returned entry is changed", async () => {
    await create(own.world.url, "new");
    const shown = await own.world.requests();
    Object.assign(shown[0]?.request.headers ?? {}, { changed: "yes" });
    Object.assign(shown[0]?.response?.body ?? {}, { changed: "yes" });
    shown[0]?.notes.push("changed");
    expect(JSON.stringify(await own.world.requests())).not.toContain("changed");
  });
});

describe("Journal", () => {
  const newJournal = (size = 1_000) => new Journal(size, () => {});
  const idsOf = (journal: Journal) => [...journal].map(({ id }) => id);
  const addMany = (journal: Journal, count: number, characters = 0) => {
    for (let n = 0; n < count; n++) addEntry(journal, characters);
  };
  const fullPage = (journal: Journal) =>
    showPage({ journal, number: 1, label: undefined, startedAt: 0, isListed: () => false }, {});

  it("keeps as many requests as its size, without the oldest", () => {
    const journal = newJournal(5);
    addMany(journal, 5);
    expect([idsOf(journal), fullPage(journal).dropped]).toEqual([[1, 2, 3, 4, 5], 0]);
    addMany(journal, 7);
    expect([idsOf(journal), fullPage(journal).dropped]).toEqual([[8, 9, 10, 11, 12], 7]);
    expect([7, 8, 12, 13].map((id) => journal.get(id)?.id)).toEqual([undefined, 8, 12, undefined]);
    expect([journal.entryCount, journal.counts.requests]).toEqual([5, 12]);
  });

  it("keeps 8,000,000 characters of bodies, without the oldest requests", () => {
    const journal = newJournal();
    addMany(journal, 4, 2_000_000);
    expect([idsOf(journal), journal.characters]).toEqual([[1, 2, 3, 4], 8_000_000]);
    addEntry(journal, 1);
    expect([idsOf(journal), journal.characters]).toEqual([[2, 3, 4, 5], 6_000_001]);
    addEntry(journal, 4_000_000);
    expect([idsOf(journal), journal.characters]).toEqual([[4, 5, 6], 6_000_001]);
  });

  it("keeps the newest request, however large", () => {
    const journal = newJournal();
    addMany(journal, 3, 9_000_000);
    expect(idsOf(journal)).toEqual([3]);
  });

  it("counts request body, response body, and the part of a head beyond 1,000 characters", () => {
    const journal = newJournal();
    const sizes = [1_000, 1_001, 5_000].map((size) => {
      const before = journal.characters;
      journal.close(openEntry(journal, { size }), succeeded, whole());
      return journal.characters - before;
    });
    expect(sizes).toEqual([0, 1, 4_000]);
    const sent = openEntry(journal);
    sent.text = "12345";
    journal.close(sent, succeeded, { ...whole(900), sentText: "123" });
    const unanswered = openEntry(journal);
    journal.close(unanswered, undefined, { delivery: "none" });
    expect([journal.characters, journal.bytes]).toEqual([4_001 + 5 + 3, 5_000 + 4_009]);
  });

  it("counts a request only while it is in the journal and complete", () => {
    const journal = newJournal(2);
    const early = openEntry(journal);
    early.text = "12345";
    addMany(journal, 2, 10);
    expect([idsOf(journal), journal.characters]).toEqual([[2, 3], 20]);
    journal.close(early, failed, whole(500));
    expect([journal.characters, journal.counts]).toEqual([20, { requests: 3, failures: 0 }]);
    addEntry(journal, 7);
    expect([idsOf(journal), journal.characters]).toEqual([[3, 4], 17]);
  });

  it("counts failures, including dropped requests, until it is cleared", () => {
    const journal = newJournal(2);
    for (const response of [failed, failed, succeeded, failed]) addEntry(journal, 10, response);
    expect(journal.counts).toEqual({ requests: 4, failures: 3 });
    journal.clear();
    expect(journal.counts).toEqual({ requests: 0, failures: 0 });
    expect([journal.entryCount, journal.characters, journal.bytes]).toEqual([0, 0, 0]);
    expect(fullPage(journal)).toEqual({ requests: [], total: 0, dropped: 0, epoch: 1 });
    addEntry(journal, 3);
    expect([idsOf(journal), journal.characters]).toEqual([[5], 3]);
  });

  it("continues to work after it was cleared while full", () => {
    const journal = newJournal(5);
    addMany(journal, 8);
    journal.clear();
    addMany(journal, 3);
    expect(idsOf(journal)).toEqual([9, 10, 11]);
    addMany(journal, 3);
    expect([idsOf(journal), fullPage(journal).dropped]).toEqual([[10, 11, 12, 13, 14], 1]);
  });

  it("reports no requests after its epoch has ended, but keeps them", () => {
    const reported: Entry[] = [];
    const journal = new Journal(1_000, (entry) => reported.push(entry));
    const late = openEntry(journal);
    const first = addEntry(journal, 500);
    journal.completed = () => {};
    journal.close(late, succeeded, whole(700));
    expect(reported).toEqual([first]);
    expect([idsOf(journal), journal.characters]).toEqual([[1, 2], 1_200]);
  });

  it("can be changed during an iteration", () => {
    const journal = newJournal(5);
    addMany(journal, 5);
    const seen: number[] = [];
    for (const { id } of journal) {
      if (id === 1) addMany(journal, 3);
      seen.push(id);
    }
    expect(seen).toEqual([1, 4, 5, 6, 7, 8]);
  });

  it("numbers requests in the order of their completion", () => {
    const journal = newJournal();
    const [first, second] = [openEntry(journal), openEntry(journal)];
    journal.close(second, succeeded, whole());
    journal.close(first, succeeded, whole());
    expect([second.completionOrder, first.completionOrder]).toEqual([1, 2]);
  });
});

describe("Entry", () => {
  const newJournal = () => new Journal(100, () => {});
  const newEntry = () => openEntry(newJournal());
  const delivered = (response: PlannedResponse | undefined, sent: Delivered) => {
    const journal = newJournal();
    const entry = openEntry(journal);
    journal.close(entry, response, sent);
    return entry;
  };

  it.each<[header: string | undefined, token: string]>([
    [undefined, ""],
    ["", ""],
    ["Token", ""],
    ["Token ", ""],
    ["Token t", "t"],
    ["Bearer a b", "a b"],
    [" Token t", ""],
    ["two words first", "words first"],
  ])("has the API token of the request: %j", (authorization, token) => {
    expect(openEntry(newJournal(), { headers: { authorization } }).apiToken).toBe(token);
  });

  it("measures time in thousandths of a millisecond", async () => {
    const entry = newEntry();
    await expect.poll(() => entry.elapsedMs).toBeGreaterThan(1);
    const [before, elapsed, after] = [performance.now(), entry.elapsedMs, performance.now()];
    expect(elapsed).toBeGreaterThanOrEqual(before - entry.began - 0.001);
    expect(elapsed).toBeLessThanOrEqual(after - entry.began + 0.001);
    expect(Math.round(elapsed * 1_000) / 1_000).toBe(elapsed);
  });

  it("has the duration until its caller disconnected", () => {
    const journal = newJournal();
    const disconnected = openEntry(journal);
    disconnected.disconnectedMs = 0;
    journal.close(disconnected, succeeded, { delivery: "caller-left" });
    expect(disconnected.durationMs).toBe(0);
    expect(addEntry(journal).durationMs).toBeGreaterThan(0);
  });

  it.each<[outcome: string, response: PlannedResponse | undefined, sent: Delivered, fault: number | null]>([
    ["success", succeeded, whole(), null],
    ["success", undefined, whole(), null],
    ["failure", failed, whole(), null],
    ["failure", succeeded, { ...whole(), delivery: "cut" }, null],
    ["failure", undefined, { delivery: "caller-left" }, null],
    ["fault", undefined, { delivery: "caller-left" }, 1],
    ["success", succeeded, whole(), 1],
    ["failure", failed, whole(), 1],
    ["fault", { ...succeeded, fault: "status" }, whole(), 1],
    ["fault", { ...succeeded, fault: "silent" }, { delivery: "none" }, null],
  ])("has the outcome %s: %j, %j, fault %j", (outcome, response, sent, fault) => {
    const entry = newEntry();
    entry.fault = fault;
    expect(entry.outcome).toBe("pending");
    newJournal().close(entry, response, sent);
    expect(entry.outcome).toBe(outcome);
  });

  it.each<[text: string | undefined, json: unknown]>([
    [undefined, null],
    ["", ""],
    ["no JSON", "no JSON"],
    ["[1]", [1]],
    ["0", 0],
    [`${"[".repeat(100)}${"]".repeat(100)}`, JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`)],
    [`${"[".repeat(101)}${"]".repeat(101)}`, `${"[".repeat(101)}${"]".repeat(101)}`],
  ])("has the request body as JSON, if it is JSON: %j", (text, json) => {
    const entry = newEntry();
    entry.text = text;
    expect(entry.json).toEqual(json);
    expect(entry.json).toBe(entry.json);
  });

  const body = { success: 1 };
  it.each<
    [what: string, response: PlannedResponse | undefined, sent: Delivered, text: string | null, json: unknown]
  >([
    ["complete", { status: 200, body }, whole(), '{"success":1}', body],
    ["none if no headers were sent", { status: 200, body }, { delivery: "none" }, null, null],
    ["none if it is empty", { status: 204 }, whole(), null, null],
    ["none without a response", undefined, whole(), null, null],
    ["raw text", { status: 200, body, rawText: "[1]" }, whole(), "[1]", [1]],
    ["the part that was sent", { status: 200, body }, { ...whole(), sentText: '{"succ' }, '{"succ', '{"succ'],
    ["none if no byte of it was sent", { status: 200, body }, { ...whole(), sentText: "" }, null, null],
    ["none without headers", { status: 200, body }, { delivery: "none", sentText: "x" }, null, null],
  ])("has the response body: %s", (_, response, sent, text, json) => {
    const entry = delivered(response, sent);
    expect([entry.bodies.response, entry.sentJson]).toEqual([text, json]);
  });

  it("has no response body while it is pending", () => {
    const entry = newEntry();
    expect([entry.sentText, entry.sentJson, entry.bodies]).toEqual([
      undefined,
      null,
      { request: null, response: null },
    ]);
  });

  it("concerns the group of the request or of the response", () => {
    const entry = newEntry();
    expect(entry.concerns("a")).toBe(false);
    entry.text = '{"user_group_id":"a"}';
    expect([entry.concerns("a"), entry.concerns("b")]).toEqual([true, false]);
    entry.performed = { status: 200, body: { user_group: { provided_id: "b" } } };
    expect([entry.concerns("a"), entry.concerns("b"), entry.concerns("c")]).toEqual([true, true, false]);
  });

  it("keeps notes in order", () => {
    const entry = newEntry();
    entry.note("a", "b");
    entry.note("c");
    expect(entry.notes).toEqual(["a", "b", "c"]);
    expect(newEntry().notes).toEqual([]);
  });

  it('has the effect "none" by default', () => {
    const entry = newEntry();
    expect(entry.effect).toBe("none");
    entry.performed = { status: 200, effect: "found" };
    expect(entry.effect).toBe("found");
  });
});

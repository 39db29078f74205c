import { setImmediate } from "node:timers/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { schemasOfMessages } from "../../../../src/build/from-schemas.mjs";
import { Decisions } from "../../../../src/fake/service/decisions.js";
import { Entry } from "../../../../src/fake/world/journal/entry.js";
import type { JournalFilter } from "../../../../src/generated/types.js";
import { call, create, getOrCreate, rotate } from "../../../call.js";
import { callInFlight } from "../../../call-in-flight.js";
import { defaultBehaviour } from "../../../default-behaviour.js";
import { unusedMethod } from "../../../unused-methods.js";
import { heapInUse } from "../heap-in-use.js";
import { ownWorld } from "../own-world.js";
import { watchCreate } from "../watched-call.js";

const ajv = new Ajv2020({ allErrors: true, strict: false });
ajv.addSchema(Object.values(schemasOfMessages()));
const isPage = ajv.compile({ $ref: "requests.response.json" });

describe("the journal", () => {
  const own = ownWorld();
  const journal = (query = "") => call("GET", `${own.world.url}/__admin/requests${query}`);
  const ids = async (filter?: JournalFilter) => (await own.world.requests(filter)).map(({ id }) => id);

  it("shows requests and responses", async () => {
    const body = { user_group_id: "new", name: "New", properties: { deep: [1, { ü: "😀" }] } };
    const before = Date.now();
    const response = await getOrCreate(own.world.url, body, { headers: { "X-Mine": "1" } });
    const [entry] = await own.world.requests();
    expect(entry).toEqual({
      id: 1,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      operation: "get-or-create",
      group: { team_id: 3, provided_id: "new" },
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
      known: [],
      fault: null,
      cause: null,
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
    const kinds = [
      { status: 503 },
      { status: 400, body: null },
      { delayMs: 1 },
      { reset: true },
      { empty: true },
      { truncate: true },
      { malformed: true },
    ] as const;
    for (const kind of kinds) {
      await own.world.fault(kind);
      await watchCreate(url, "new");
    }
    const held = await own.world.hold();
    const waiting = create(url, "new");
    await held.arrived();
    const { body } = await journal();
    expect(isPage(body), JSON.stringify(isPage.errors)).toBe(true);
    expect(body.requests).toEqual(await own.world.requests());
    const outcomes = body.requests.map(({ outcome }: Record<string, unknown>) => outcome).join(" ");
    const failures = "failure ".repeat(5);
    expect(outcomes).toBe(
      `success failure failure success ${failures}fault fault success fault fault fault fault pending`,
    );
    expect(body.requests.at(-1).fault).toBe(8);
    await held.release();
    await waiting;
  });

  it("shows a request without a response as pending", async () => {
    const held = await own.world.hold();
    const waiting = create(own.world.url, "new");
    await held.arrived();
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
    [{ operation: "get-or-create" }, [1, 2, 5]],
    [{ outcome: "success" }, [1, 2, 3]],
    [{ outcome: "failure" }, [4, 6]],
    [{ outcome: "fault" }, [5]],
    [{ user_group_id: "a" }, [1, 3, 4, 5]],
    [{ after: 4 }, [5, 6]],
    [{ after: 1, limit: 2 }, [2, 3]],
    [{ operation: "get-or-create", outcome: "success", user_group_id: "a" }, [1]],
  ])("filters requests: %j", async (filter, expected) => {
    await sendSome();
    expect(await ids(filter)).toEqual(expected);
  });

  it("counts matching requests before `after` and beyond the limit", async () => {
    await sendSome();
    for (const [after, id] of [
      [0, 1],
      [1, 2],
    ])
      expect((await journal(`?outcome=success&after=${after}&limit=1`)).body).toMatchObject({
        requests: [{ id }],
        total: 3,
      });
  });

  it("has no entry with an id that is unknown or invalid", async () => {
    await create(own.world.url, "a");
    const codeOf = async (id: string) =>
      (await call("GET", `${own.world.url}/__admin/requests/${id}`)).body.error.code;
    expect([await codeOf("0"), await codeOf("2"), await codeOf("abc")]).toEqual([
      "not_found",
      "unknown_request",
      "not_found",
    ]);
  });

  it("is empty after it is cleared, also of pending requests; groups stay and ids continue", async () => {
    await create(own.world.url, "a");
    const held = await own.world.hold();
    const waiting = create(own.world.url, "b");
    await held.arrived();
    await own.world.clearRequests();
    expect((await journal()).body).toEqual({ requests: [], total: 0, dropped: 0, epoch: 1 });
    expect((await call("GET", `${own.world.url}/__admin/requests/1`)).status).toBe(404);
    await held.release();
    expect((await waiting).status).toBe(200);
    expect((await create(own.world.url, "a")).body.new_user_group).toBe(false);
    expect(await ids()).toEqual([3]);
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

it("parses the body of an entry once, and once more after its memory was freed", async () => {
  const entry = new Entry(
    1,
    { method: "GET", path: "/api/user", headers: {} },
    new Decisions(defaultBehaviour),
  );
  entry.text = '{"name":"a"}';
  expect(entry.json).toBe(entry.json);
  // What this job has read stays until its end.
  await setImmediate();
  heapInUse();
  expect(entry.json).toBe(entry.json);
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { controlServer } from "../../src/client/control-server.js";
import { startServer } from "../../src/client/start-server.js";
import { operationIds } from "../../src/fake/contract/operations.js";
import { resolveOptions } from "../../src/options/resolve-options.js";
import { readSeen } from "../../src/run/begin-run.js";
import { failureNames, parseInjection, type RequestName, requestNameText } from "../../src/run/injection.js";
import { call, create, rotate } from "../call.js";
import { sendRotation, watchRotate } from "../fake/world/watched-call.js";
import { seededToken } from "../seeded.js";
import { ownRun } from "./own-run.js";

describe("--inject accepts", () => {
  it.each<[string, RequestName, number]>([
    ["rotate#2", { operation: "rotate" }, 2],
    ["rotate:acme#12", { world: "default", operation: "rotate", group: "acme" }, 12],
    ["w3/get-or-create:acme#2", { world: "w3", operation: "get-or-create", group: "acme" }, 2],
    ["default/rotate", { world: "default", operation: "rotate" }, 1],
    ["rotate:", { world: "default", operation: "rotate", group: "" }, 1],
    ["rotate:a%2Fb%23c%3Dd%20%C3%BC", { world: "default", operation: "rotate", group: "a/b#c=d ü" }, 1],
    ["rotate:a/b:c", { world: "default", operation: "rotate", group: "a/b:c" }, 1],
    ["rotate:100%", { world: "default", operation: "rotate", group: "100%" }, 1],
  ])("%s", (text, named, occurrence) => {
    expect(parseInjection(`${text}=lost`)).toEqual({ ...named, occurrence, failure: "lost" });
  });

  it.each<[text: string, named: RequestName]>([
    ["rotate", { operation: "rotate" }],
    ["default/rotate", { world: "default", operation: "rotate" }],
    ["rotate:acme", { world: "default", operation: "rotate", group: "acme" }],
    ["w3/rotate:a%20b", { world: "w3", operation: "rotate", group: "a b" }],
  ])("%s, as it is written in messages and lists", (text, named) => {
    expect(requestNameText(named)).toBe(text);
    expect(parseInjection(`${text}=lost`)).toMatchObject(named);
  });

  it("every name that explore gives to a request", () => {
    const text = fc.string({ unit: "grapheme" });
    const world = fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,20}$/);
    const name = fc.record({ world, operation: fc.constantFrom(...operationIds), group: text });
    fc.assert(
      fc.property(
        name,
        fc.integer({ min: 1, max: 10_000 }),
        fc.constantFrom(...failureNames),
        (request, occurrence, failure) => {
          expect(parseInjection(`${requestNameText(request)}#${occurrence}=${failure}`)).toEqual({
            ...request,
            occurrence,
            failure,
          });
        },
      ),
    );
  });
});

describe("--inject rejects", () => {
  it.each([
    "",
    "rotate",
    "rotate#two=lost",
    "a/b/rotate=lost",
    "rotat=lost",
    "rotate=losst",
    "rotate#0=lost",
  ])("%j", (text) => {
    const message = `--inject ${JSON.stringify(text)} is invalid. Name a request and a failure, such as rotate:acme#2=lost.`;
    expect(() => parseInjection(text)).toThrow(message);
  });
});

/** A server in its own run, which the test removes. */
async function serverIn(instructions: { inject?: string; learns?: boolean; silenceMs?: number }) {
  const { inject, learns = false, silenceMs } = instructions;
  const injections = inject === undefined ? [] : [parseInjection(inject)];
  const run = ownRun({ inject: injections, learns, silenceMs });
  const mock = controlServer(await startServer({ ...(await resolveOptions([], "embedded")) }, run));
  return {
    mock,
    run,
    async [Symbol.asyncDispose]() {
      await mock.stop();
      run[Symbol.dispose]();
    },
  };
}

describe("the name of a request", () => {
  it("has its world, operation, group and occurrence, even for a rotated-out or unknown token", async () => {
    await using server = await serverIn({ learns: true });
    const { mock, run } = server;
    await create(mock.url, "a b/c");
    await create(mock.world("w3").url, "acme");
    await create(mock.world("w3").url, "acme");
    const rotated = await rotate(mock.url, seededToken);
    await rotate(mock.url, seededToken);
    await rotate(mock.url, rotated.body.user_group.token);
    await rotate(mock.url, "unknown");
    expect(readSeen(run).requests).toEqual([
      "get-or-create:a%20b%2Fc#1",
      "w3/get-or-create:acme#1",
      "w3/get-or-create:acme#2",
      "rotate:example_1#1",
      "rotate:example_1#2",
      "rotate:example_1#3",
      "rotate:-#1",
    ]);
  });

  it("is recorded only for a request that could be performed", async () => {
    await using server = await serverIn({ learns: true });
    await call("GET", `${server.mock.url}/api/user`, { name: "no id" });
    await create(server.mock.url, "acme", { mapping: 1 });
    await call("GET", `${server.mock.url}/nowhere`);
    expect(readSeen(server.run)).toMatchObject({ isReached: true, requests: [] });
  });
});

describe("a request in a world whose resets have labels", () => {
  it("is named by the label, and a text becomes a name with a hash", async () => {
    await using server = await serverIn({ learns: true });
    const { mock, run } = server;
    await create(mock.url, "before");
    for (const label of ["test_a", "it rotates", "test_a"]) {
      await mock.reset({ label });
      await create(mock.url, "acme");
    }
    const world = mock.world("its own title");
    await world.reset();
    await create(world.url, "acme");
    await mock.reset();
    await create(mock.url, "acme");
    expect(readSeen(run).requests).toEqual([
      "get-or-create:before#1",
      "test_a/get-or-create:acme#1",
      expect.stringMatching(/^it-rotates-[0-9a-f]{16}\/get-or-create:acme#1$/),
      "test_a/get-or-create:acme#2",
      expect.stringMatching(/^its-own-title-[0-9a-f]{16}\/get-or-create:acme#1$/),
      // Of the requests of the world, which an injection may also name, it is the fourth.
      "get-or-create:acme#4",
    ]);
  });

  it.each([
    ["test_b/get-or-create:acme#2", [200, 200, 200, 503, 200]],
    ["get-or-create:acme#2", [200, 503, 200, 200, 200]],
    ["w1/get-or-create:acme#1", [200, 200, 200, 200, 503]],
  ])("gets the failure of its label in any world, or that of its world: %s", async (name, expected) => {
    await using server = await serverIn({ inject: `${name}=unavailable` });
    const { mock } = server;
    const statuses: number[] = [];
    for (const label of ["test_a", "test_b"]) {
      await mock.reset({ label });
      for (let n = 1; n <= 2; n++) statuses.push((await create(mock.url, "acme")).status);
    }
    await mock.world("w1").reset({ label: "test_c" });
    statuses.push((await create(mock.world("w1").url, "acme")).status);
    expect(statuses).toEqual(expected);
  });
});

describe("a request beside a fault of its test", () => {
  it("is in the epoch in which the test has armed it, before or after that", async () => {
    await using server = await serverIn({ learns: true });
    const { mock, run } = server;
    const world = mock.world("w1");
    await create(world.url, "before");
    await world.fault({ status: 503, skip: 9 });
    for (const { url } of [world, mock.world("w2")]) await create(url, "after");
    await world.reset();
    await create(world.url, "later");
    const { requests, withOwnFault } = readSeen(run);
    expect(requests).toHaveLength(4);
    expect([...withOwnFault]).toEqual(["w1/get-or-create:before#1", "w1/get-or-create:after#1"]);
  });
});

describe("an injected failure", () => {
  it("affects only the named request, across worlds and resets", async () => {
    await using server = await serverIn({ inject: "get-or-create#4=unavailable" });
    const { mock, run } = server;
    const statuses: number[] = [];
    for (const world of [mock, mock.world("w1"), mock]) {
      for (const id of ["a", "b"]) statuses.push((await create(world.url, id)).status);
      expect(readSeen(run).injected.size > 0).toBe(statuses.length >= 4);
      await world.reset();
    }
    expect(statuses).toEqual([200, 200, 200, 503, 200, 200]);
  });

  it("counts only the requests of its world and group", async () => {
    await using server = await serverIn({ inject: "w1/get-or-create:a#2=throttled" });
    const { mock } = server;
    const findStatus = async (world: string, id: string) => (await create(mock.world(world).url, id)).status;
    const requests = [
      ["w1", "a"],
      ["w2", "a"],
      ["w1", "b"],
      ["default", "a"],
      ["w1", "a"],
      ["w1", "a"],
    ] as const;
    const statuses: number[] = [];
    for (const [world, id] of requests) statuses.push(await findStatus(world, id));
    expect(statuses).toEqual([200, 200, 200, 200, 429, 200]);
  });

  const nothing = "; the request had no effect.";
  const rotated = " after the token had been rotated";
  const unseen = `${rotated}; the client never saw the new token.`;
  it.each([
    ["unavailable", "none", `responded with 503${nothing}`],
    ["throttled", "none", `responded with 429${nothing}`],
    ["reset", "none", `reset the connection${nothing}`],
    ["lost", "rotated", `reset the connection${unseen}`],
    ["garbled", "rotated", `responded with broken JSON${unseen}`],
    ["cut", "rotated", `cut the response in half${rotated}; the client got half of the response.`],
  ])(
    "%s has the effect %s on the group, and a cause without a fault of the world",
    async (failure, effect, did) => {
      await using server = await serverIn({ inject: `rotate=${failure}` });
      await watchRotate(server.mock.url, seededToken);
      const [entry] = await server.mock.requests();
      const cause = { code: "injected", message: `The injected failure rotate#1=${failure} ${did}` };
      expect([entry?.effect, entry?.cause]).toEqual([effect, cause]);
    },
  );

  it("silent sends no response and has no effect, and its cause is known once the client has left", async () => {
    await using server = await serverIn({ inject: "rotate=silent" });
    const client = sendRotation(server.mock.url, seededToken);
    await expect.poll(() => readSeen(server.run).injected.size > 0).toBe(true);
    expect((await rotate(server.mock.url, seededToken)).status).toBe(200);
    const silent = async () => (await server.mock.requests())[0];
    expect(await silent()).toMatchObject({ outcome: "pending", effect: "none", cause: null });
    await client.disconnect();
    await server.mock.waitForRequest({ outcome: "fault" });
    const message = "The injected failure rotate#1=silent never responds.";
    expect(await silent()).toMatchObject({ effect: "none", cause: { code: "injected", message } });
  });

  it("silent ends under explore: a client that still waits has its connection reset, which is recorded", async () => {
    await using server = await serverIn({ inject: "rotate=silent", silenceMs: 50 });
    await expect(rotate(server.mock.url, seededToken)).rejects.toThrow();
    await server.mock.waitForRequest({ outcome: "fault" });
    const [entry] = await server.mock.requests();
    expect([entry?.effect, entry?.cause?.code]).toEqual(["none", "injected"]);
    expect(entry?.cause?.message).toMatch(
      /^The injected failure rotate#1=silent waited \d+ ms and reset the/,
    );
    expect([...readSeen(server.run).waited]).toEqual(["rotate#1=silent"]);
  });

  it("silent under explore records nothing if the client gives up before it ends", async () => {
    await using server = await serverIn({ inject: "rotate=silent", silenceMs: 60_000 });
    const client = sendRotation(server.mock.url, seededToken);
    await expect.poll(() => readSeen(server.run).injected.size > 0).toBe(true);
    await client.disconnect();
    await server.mock.waitForRequest({ outcome: "fault" });
    expect([...readSeen(server.run).waited]).toEqual([]);
  });

  it("silent does not keep the mock from stopping", async () => {
    await using server = await serverIn({ inject: "rotate=silent" });
    const noResponse = expect(rotate(server.mock.url, seededToken)).rejects.toThrow();
    await expect.poll(() => readSeen(server.run).injected.size > 0).toBe(true);
    await server.mock.stop();
    await noResponse;
  });

  it("comes before a fault that a test has armed, which affects the next request", async () => {
    await using server = await serverIn({ inject: "get-or-create=unavailable" });
    await server.mock.fault({ status: 418 });
    expect((await create(server.mock.url)).status).toBe(503);
    const [fault] = await server.mock.faults();
    const reason = "it matched, but an injected failure replaced its response";
    expect(fault?.nearMisses).toEqual([{ request: 1, reason }]);
    expect((await create(server.mock.url)).status).toBe(418);
  });
});

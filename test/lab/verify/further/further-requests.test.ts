import { describe, expect, it, vi } from "vitest";
import type { JsonObject } from "../../../../src/foundation/json.js";
import { startMock } from "../../../../src/index.js";
import { Draw } from "../../../../src/lab/verify/further/draw.js";
import { type Action, actions } from "../../../../src/lab/verify/further/further-actions.js";
import { sendFurtherRequests } from "../../../../src/lab/verify/further/further-requests.js";
import { Walk, type WalkedGroup } from "../../../../src/lab/verify/further/further-walk.js";
import { GroupClient } from "../../../../src/lab/verify/service/group-client.js";
import { NoResponse } from "../../../../src/lab/verify/service/not-determinable.js";
import type { RequestOptions, Target } from "../../../../src/lab/verify/service/service-client.js";
import { failingProxy, responding } from "../failing-proxy.js";
import { quick } from "../known-service.js";
import { rejected, type SeenPart, scriptedService, success } from "../seen-responses.js";

type Respond = (body: JsonObject, options: RequestOptions) => SeenPart;

/** A service in which every request has a new token. */
function accepting(): Respond {
  let tokens = 0;
  return ({ name }) => success({ token: `token-${++tokens}`, ...(name !== undefined && { name }) });
}

function walkWith(respond: Respond = accepting(), target: Partial<Target> = {}) {
  const { service, sent } = scriptedService(respond, target);
  const walk = new Walk(service);
  const add = (name = "Name") => walk.create({ name });
  return { walk, service, sent, add };
}

/** The only group of a walk. */
function onlyGroup({ groups }: Walk): WalkedGroup {
  const [group] = groups;
  if (group === undefined || groups.length > 1) throw new Error(`there are ${groups.length} groups`);
  return group;
}

function action(title: string): Action {
  const found = [...actions.correct, ...actions.mistake].find(([one]) => one === title);
  if (found === undefined) throw new Error(`there is no action ${title}`);
  return found;
}

describe("a drawn number", () => {
  const drawn = (seed: string) => {
    const draw = new Draw(seed);
    return Array.from({ length: 200 }, () => draw.below(7));
  };

  it("is the same for the same seed, and below its end", () => {
    expect(drawn("a")).toEqual(drawn("a"));
    expect(drawn("a")).not.toEqual(drawn("b"));
    expect(new Set(drawn("a"))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]));
  });

  it("chooses each value, and an event as often as its chances say", () => {
    const draw = new Draw("a");
    const values = Array.from({ length: 100 }, () => draw.one(["x", "y", "z"]));
    expect(new Set(values).size).toBe(3);
    const events = Array.from({ length: 400 }, () => draw.isOneIn(4)).filter(Boolean);
    expect(events.length).toBeGreaterThan(60);
    expect(events.length).toBeLessThan(140);
  });
});

describe("the walk remembers", () => {
  it("a group with its values and its token", async () => {
    const { walk } = walkWith();
    await walk.create({ name: "Name", mapping: { "40": "1" }, properties: undefined });
    expect(walk.groups).toEqual([
      {
        id: `${walk.client.groups.prefix}-1`,
        name: "Name",
        mapping: { "40": "1" },
        properties: undefined,
        tokens: ["token-1"],
      },
    ]);
  });

  it("each token once, the latest last", async () => {
    const tokens = ["a", "a", "b", "b"];
    const { walk, add } = walkWith(() => success({ token: tokens.shift() }));
    await add();
    await walk.lookUp(onlyGroup(walk), {});
    await walk.rotate(onlyGroup(walk), "a");
    await walk.lookUp(onlyGroup(walk), {});
    expect(onlyGroup(walk).tokens).toEqual(["a", "b"]);
  });

  it("the name that a response shows", async () => {
    const names = ["First", "Second", undefined];
    const { walk, add } = walkWith(() => success({ token: "t", name: names.shift() }));
    await add();
    await walk.lookUp(onlyGroup(walk), { name: "Second" });
    await walk.lookUp(onlyGroup(walk), { name: "Third" });
    expect(onlyGroup(walk).name).toBe("Second");
  });

  it("a group as it was, if a request about it is rejected", async () => {
    const responses = [success({ token: "a" }), rejected, rejected];
    const { walk, add } = walkWith(() => responses.shift() ?? rejected);
    await add();
    const before = onlyGroup(walk);
    await walk.lookUp(before, { name: "Other" });
    await walk.rotate(before, "a");
    expect(walk.groups).toEqual([before]);
  });

  it("no group that was rejected, or has no token", async () => {
    const responses = [rejected, success({})];
    const { walk, add } = walkWith(() => responses.shift() ?? rejected);
    await add();
    await add();
    expect(walk.groups).toEqual([]);
  });

  it("no group of a mistake, unless it was rejected", async () => {
    const { walk, add } = walkWith(({ mapping, name }) =>
      mapping === null ? rejected : success({ token: "a", name }),
    );
    await add();
    const group = onlyGroup(walk);
    await walk.lookUpOnce(group, { mapping: null });
    expect(walk.groups).toEqual([group]);
    await walk.lookUpOnce(group, { name: 5 });
    expect(walk.groups).toEqual([]);
    await walk.createOnce({ name: 5 });
    expect(walk.groups).toEqual([]);
  });

  it("no group whose token nobody knows, because there was no response", async () => {
    const { walk, add } = walkWith(({ current_token }) => {
      if (current_token !== undefined) throw new NoResponse("no response");
      return success({ token: "a" });
    });
    await add();
    await expect(walk.rotate(onlyGroup(walk), "a")).rejects.toThrow("no response");
    expect(walk.groups).toEqual([]);
  });

  it("how many groups it may create: six that were not rejected, beside those of before", () => {
    const { service } = scriptedService(accepting());
    service.budget.spend(true);
    const walk = new Walk(service);
    for (let n = 0; n < 6; n++) {
      expect(walk.canCreate).toBe(true);
      service.budget.spend(true);
    }
    expect(walk.canCreate).toBe(false);
    service.budget.giveBackGroup();
    expect(walk.canCreate).toBe(true);
  });
});

describe("the walk draws", () => {
  it("names that begin with the prefix, and are all different", () => {
    const { walk, service } = walkWith();
    const names = Array.from({ length: 30 }, () => walk.newName());
    expect(new Set(names).size).toBe(30);
    expect(names.every((name) => name.startsWith(service.groups.prefix))).toBe(true);
  });

  it("a mapping with other schemas, that of a sample, or none", () => {
    const drawn = (base: JsonObject, sample?: JsonObject) => {
      const { walk, service } = walkWith(accepting(), sample && { sample });
      service.base = base;
      return new Set(Array.from({ length: 20 }, () => JSON.stringify(walk.newMapping())));
    };
    const mapping = { "40": "213" };
    expect(drawn({ mapping }).size).toBeGreaterThan(3);
    expect([...drawn({ mapping }, { mapping })]).toEqual(['{"40":"213"}']);
    expect([...drawn({})]).toEqual([undefined]);
  });
});

describe("a further request", () => {
  /** Sends one for a group with the tokens a, b and c. */
  async function send(title: string, { target = {}, isNew = false, before = (_: Walk) => {} } = {}) {
    const tokens = ["a", "b", "c"];
    const { walk, sent, service, add } = walkWith(
      ({ name }) => success({ token: tokens.shift() ?? "c", name: name ?? "Name" }),
      target,
    );
    vi.spyOn(walk.draw, "isOneIn").mockReturnValue(!isNew);
    await add();
    await walk.rotate(onlyGroup(walk), "a");
    await walk.rotate(onlyGroup(walk), "b");
    const group = onlyGroup(walk);
    sent.splice(0);
    before(walk);
    await action(title)[1](walk);
    return { body: sent[0]?.body, options: sent[0]?.options, count: sent.length, group, service };
  }
  const post = { method: "POST" };

  it.each([
    ["rotate", "c"],
    ["rotate with a stale token", "b"],
    ["rotate with a token two rotations old", "a"],
  ])("can %s", async (title, current_token) => {
    const { body, options } = await send(title);
    expect([body, options]).toEqual([{ current_token }, post]);
  });

  it("cannot rotate with an old token without a rotation", async () => {
    const { walk, sent, add } = walkWith();
    await add();
    expect(action("rotate with a stale token")[1](walk)).toBeUndefined();
    expect(sent).toHaveLength(1);
  });

  it("can look a group up, as it is and with other values", async () => {
    const { body, group } = await send("look up by id alone");
    expect(body).toEqual({ user_group_id: group.id });
    expect((await send("look up with id and name")).body).toEqual({
      user_group_id: expect.any(String),
      name: "Name",
    });
    expect((await send("look up with another name")).body?.name).not.toBe("Name");
    expect((await send("look up with other properties")).body).toMatchObject({
      name: "Name",
      properties: expect.any(Object),
    });
  });

  it("can create a group with the name of another one", async () => {
    const { body, group } = await send("create with a name that another group has");
    expect([body?.name, body?.user_group_id === group.id]).toEqual(["Name", false]);
  });

  it("creates no more groups than it may", async () => {
    const { walk, service, sent, add } = walkWith();
    await add();
    for (let n = 0; n < 6; n++) service.budget.spend(true);
    for (const title of ["create", "create with a name that another group has", "create without a name"])
      expect(action(title)[1](walk), title).toBeUndefined();
    expect(sent).toHaveLength(1);
  });

  it.each(["create in the second team", "rotate a token of the other team"])(
    "is possible with a second team only: %s",
    async (title) => {
      const target = { secondApiToken: "second" };
      expect((await send(title)).count).toBe(0);
      expect((await send(title, { target })).count).toBe(0);
      const isSeen = (walk: Walk) => {
        walk.client.hasSecondTeam = true;
      };
      const { options, count } = await send(title, { target, before: isSeen });
      expect([options?.apiToken, count]).toEqual(["second", 1]);
    },
  );

  it("with a mistake is about a new group or one that exists, otherwise as a program sends it", async () => {
    const ofNew = await send("null as mapping", { isNew: true });
    expect(ofNew.body).toEqual({
      user_group_id: expect.any(String),
      name: expect.any(String),
      mapping: null,
    });
    expect([ofNew.body?.user_group_id === ofNew.group.id, ofNew.body?.name]).not.toEqual([true, "Name"]);
    const ofOther = await send("null as mapping");
    expect(ofOther.body).toEqual({ user_group_id: ofOther.group.id, name: "Name", mapping: null });
  });

  it("with a token that was never issued has one of the same form, which is remembered", async () => {
    const { body, service } = await send("unknown token of the service's form");
    expect(body?.current_token).toMatch(/^[\da-f]{8}$/);
    expect([...service.inventedTokens]).toEqual([body?.current_token]);
  });

  it("with two mistakes says so", async () => {
    const { options } = await send("no id and a list as mapping");
    expect(options?.hasSeveralMistakes).toBe(true);
  });

  it("with an id in capitals, or with a space, is about the group", async () => {
    const capitals = await send("id in capitals");
    expect(capitals.body).toEqual({ user_group_id: capitals.group.id.toUpperCase(), name: "Name" });
    const space = await send("id with a space");
    expect(space.body?.user_group_id).toBe(`${space.group.id} `);
  });

  it("that is longer than usual has 70 characters and more", async () => {
    expect(String((await send("long name")).body?.name).length).toBeGreaterThanOrEqual(70);
    expect(String((await send("long id")).body?.user_group_id).length).toBeGreaterThanOrEqual(70);
  });
});

describe("the further requests", () => {
  it("begin with two groups", async () => {
    const { service } = scriptedService(() => {
      throw new NoResponse("no response");
    });
    const ask = vi.spyOn(service, "ask");
    await sendFurtherRequests(service);
    expect(ask.mock.calls.slice(0, 2).map(([title]) => title)).toEqual(["create", "create"]);
  });

  it("are sent once each, and not replaced by others if there is no response", async () => {
    await using mock = await startMock();
    await using proxy = await failingProxy(mock.url, (n) => (n === 1 ? responding(503) : undefined));
    const target = { baseUrl: proxy.url, apiToken: "test-api-token" };
    const sent = await sendFurtherRequests(new GroupClient(target, { patience: quick }));
    // Fewer if nothing that was drawn was possible.
    expect(proxy.requests()).toBeLessThanOrEqual(24);
    expect(sent).toHaveLength(proxy.requests() - 1);
  });
});

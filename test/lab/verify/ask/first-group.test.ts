import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/foundation/json.js";
import { askAgain, createFirstGroup } from "../../../../src/lab/verify/ask/first-group.js";
import { NoResponse } from "../../../../src/lab/verify/service/not-determinable.js";
import { OtherGroup } from "../../../../src/lab/verify/service/own-groups.js";
import {
  recorded,
  rejected,
  responseWith,
  type SeenPart,
  scriptedService,
  success,
} from "../seen-responses.js";

describe("the first group is created", () => {
  const usual = { mapping: { "40": "213" }, properties: { filterValue: "value" } };
  const sample = { mapping: { "7": "x" } };
  const withoutMapping = ({ mapping }: JsonObject) => (mapping === undefined ? success({}) : rejected);

  it("with a mapping and properties, if the service accepts them", async () => {
    const { service, sent } = scriptedService(() => success({}));
    const { body, created } = await createFirstGroup(service);
    expect(body).toEqual({ ...usual, user_group_id: expect.any(String), name: expect.any(String) });
    expect(created.isSuccess).toBe(true);
    expect(sent).toHaveLength(1);
    expect(service.base).toEqual(usual);
  });

  it("without them, if it rejects them, and so are the groups after it", async () => {
    const { service, sent } = scriptedService(withoutMapping);
    const { body, created } = await createFirstGroup(service);
    expect([created.isSuccess, Object.keys(body)]).toEqual([true, ["user_group_id", "name"]]);
    expect(sent).toHaveLength(2);
    expect(service.base).toEqual({});
  });

  it("with a sample only, if there is one", async () => {
    const { service, sent } = scriptedService(withoutMapping, { sample });
    const { body, created } = await createFirstGroup(service);
    expect([created.isSuccess, body.mapping]).toEqual([false, sample.mapping]);
    expect(sent).toHaveLength(1);
    expect(service.base).toEqual(sample);
  });

  it.each<[string, SeenPart]>([
    ["the API token is wrong", { ...rejected, status: 401 }],
    ["the API token may not do it", { ...rejected, status: 403 }],
    ["the path is wrong", { ...rejected, status: 404 }],
  ])("with one request, if that shows that %s", async (_, seen) => {
    const { service, sent } = scriptedService(() => seen);
    expect((await createFirstGroup(service)).created.isSuccess).toBe(false);
    expect(sent).toHaveLength(1);
  });

  it("without mapping and properties, also if a rejection has another form", async () => {
    const { service } = scriptedService((body) =>
      "mapping" in body ? { status: 422, body: { detail: "no" } } : success({}),
    );
    expect((await createFirstGroup(service)).created.isSuccess).toBe(true);
    expect(service.base).toEqual({});
  });

  it("or not, if the service fails: no request has shown yet that it works", async () => {
    const { service } = scriptedService(() => ({ ...rejected, status: 500 }));
    await expect(createFirstGroup(service)).rejects.toThrow(NoResponse);
    await expect(createFirstGroup(service)).rejects.toThrow("GET /api/user returned 500");
  });

  it("or it is another's, which the response shows", async () => {
    const { service } = scriptedService(() => {
      throw new OtherGroup(responseWith(success({ name: "theirs" }, { new_user_group: false })));
    });
    const { created, body } = await createFirstGroup(service);
    expect([created.group.name, body.mapping]).toEqual(["theirs", usual.mapping]);
  });
});

describe("what is asked about the first group later", () => {
  /** A service with one group, which was created with the token `token-0`. */
  function withGroup(isTokenStable: boolean, firstToken = "token-0") {
    let tokens = 0;
    const scripted = scriptedService(({ current_token }) => {
      if (current_token === `token-${tokens}` || !isTokenStable) tokens++;
      else if (current_token !== undefined) return rejected;
      return success({ token: `token-${tokens}` }, {});
    });
    scripted.service.creation = recorded(
      { body: { user_group_id: "first" } },
      success({ token: firstToken }),
    );
    return scripted;
  }
  const tokensOf = ({ found, rotated, after }: Awaited<ReturnType<typeof askAgain>>) =>
    [found, rotated, after].map(({ group }) => group.token);

  it("is a look-up, a rotation and another look-up", async () => {
    const { service, sent } = withGroup(true);
    const later = await askAgain(service);
    expect(tokensOf(later)).toEqual(["token-0", "token-1", "token-1"]);
    expect(later.isTokenStable).toBe(true);
    expect(sent.map(({ options }) => options.method ?? "GET")).toEqual(["GET", "POST", "GET"]);
  });

  it("begins with two look-ups if an earlier attempt may have rotated the token", async () => {
    const { service, sent } = withGroup(true, "token-before");
    const later = await askAgain(service);
    expect([tokensOf(later), later.isTokenStable]).toEqual([["token-0", "token-1", "token-1"], true]);
    expect(sent).toHaveLength(4);
  });

  it("shows whether a look-up changes the token", async () => {
    const { service } = withGroup(false);
    expect((await askAgain(service)).isTokenStable).toBe(false);
  });

  it("needs a token", async () => {
    const { service } = scriptedService(() => success({}, {}));
    service.creation = recorded({ body: {} }, success({}));
    await expect(askAgain(service)).rejects.toThrow("the response to a look-up has no token");
  });
});

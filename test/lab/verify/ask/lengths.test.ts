import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/foundation/json.js";
import type { ObjectField } from "../../../../src/lab/verify/ask/contents.js";
import {
  askFilenameLength,
  askIdLength,
  askKeyCount,
  askNameLength,
  askShortestName,
  askWordAsKey,
} from "../../../../src/lab/verify/ask/lengths.js";
import { BudgetEnded } from "../../../../src/lab/verify/service/budget.js";
import {
  recorded,
  rejected,
  responseWith,
  type SeenPart,
  scriptedService,
  success,
} from "../seen-responses.js";

const tooLong = (message: string): SeenPart => ({ status: 422, body: { success: 0, message } });

/** A service whose ids may have so many characters. */
function idsUpTo(limit: number, message = "too long") {
  return scriptedService(({ user_group_id }) =>
    String(user_group_id).length > limit ? tooLong(message) : success({}),
  );
}

const lengthsOf = (sent: ReturnType<typeof scriptedService>["sent"], field: string) =>
  sent.map(({ body }) => String(body[field]).length);

describe("the length of an id", () => {
  it.each([
    [8, "a usual limit", [16, 36, 64, 100, 191, 255, 256, 300, 1000, 1024]],
    [17, "another one", [17, 65, 137, 1025, 1777, 1999]],
  ])("is found exactly, with at most %d requests for %s", async (requests, _, limits) => {
    for (const limit of limits) {
      const { service, sent } = idsUpTo(limit);
      expect(await askIdLength(service)).toEqual({ accepted: limit, rejected: limit + 1 });
      expect(sent.length).toBeLessThanOrEqual(requests);
      expect(lengthsOf(sent, "user_group_id")[0]).toBe(2_000);
      expect(new Set(lengthsOf(sent, "user_group_id")).size).toBe(sent.length);
    }
  });

  it("has no limit if 2,000 characters are accepted, and one request shows that", async () => {
    const { service, sent } = idsUpTo(2_000);
    expect(await askIdLength(service)).toEqual({ accepted: 2_000, rejected: undefined });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ["the longest length", 137, "error 12: at most 137 characters"],
    ["the first length that is too long", 137, "shorter than 138"],
    ["the second number", 137, "55 of 137"],
  ])("is tried first as a message says it: %s", async (_, limit, message) => {
    const { service, sent } = idsUpTo(limit, message);
    expect(await askIdLength(service)).toEqual({ accepted: limit, rejected: limit + 1 });
    expect(sent.length).toBeLessThanOrEqual(5);
  });

  it("is not tried with more than three numbers of a message, nor with parts of words", async () => {
    const { service, sent } = idsUpTo(137, "a137 x-137 12345 1 500 500 600 700 137");
    await askIdLength(service);
    expect(lengthsOf(sent, "user_group_id").slice(0, 4)).toEqual([2_000, 500, 499, 120]);
  });

  it("is what was found so far if the budget ends", async () => {
    let n = 0;
    const { service } = scriptedService(({ user_group_id }) => {
      if (++n > 3) throw new BudgetEnded("enough");
      return String(user_group_id).length > 137 ? rejected : success({});
    });
    const { accepted, rejected: first = 0 } = await askIdLength(service);
    expect(accepted).toBeLessThanOrEqual(137);
    expect(first).toBeGreaterThan(137);
    expect(first - accepted).toBeGreaterThan(1);
  });

  it("is not known if a request gets no response", async () => {
    let n = 0;
    const { service } = scriptedService(() => {
      if (++n === 3) throw new Error("no response");
      return rejected;
    });
    await expect(askIdLength(service)).rejects.toThrow("no response");
  });
});

describe("the length of a name", () => {
  /** A service that has a group, whose names may have 80 characters where a request is rejected for its name. */
  function namesUpTo80(isRejected: (isLookUp: boolean, length: number) => boolean) {
    const { service, sent } = scriptedService(({ user_group_id, name }) => {
      return isRejected(user_group_id === "first", String(name).length) ? rejected : success({});
    });
    service.creation = recorded({ body: { user_group_id: "first" } }, success({}));
    return { service, countNew: () => sent.filter(({ body }) => body.user_group_id !== "first").length };
  }

  it("is asked about a group that exists, which creates none", async () => {
    const { service, countNew } = namesUpTo80((_, length) => length > 80);
    expect(await askNameLength(service)).toEqual({ accepted: 80, rejected: 81 });
    expect(countNew()).toBe(0);
  });

  it("is asked with new groups if a group may not have another name", async () => {
    const { service, countNew } = namesUpTo80((isLookUp, length) => isLookUp || length > 80);
    expect(await askNameLength(service)).toEqual({ accepted: 80, rejected: 81 });
    expect(countNew()).toBeGreaterThan(2);
  });

  it("is asked with new groups if a look-up does not check the name", async () => {
    const { service, countNew } = namesUpTo80((isLookUp, length) => !isLookUp && length > 80);
    expect(await askNameLength(service)).toEqual({ accepted: 80, rejected: 81 });
    expect(countNew()).toBeGreaterThan(2);
  });

  it("has no limit if neither checks it", async () => {
    const { service, countNew } = namesUpTo80(() => false);
    expect(await askNameLength(service)).toEqual({ accepted: 2_000, rejected: undefined });
    expect(countNew()).toBe(1);
  });
});

describe("the length of a filename", () => {
  it("is asked with rotations, each with the token of the one before", async () => {
    let tokens = 0;
    const { service, sent } = scriptedService(({ current_token, filename = "" }) => {
      if (current_token !== undefined && current_token !== `token-${tokens}`) return rejected;
      return String(filename).length > 40 ? rejected : success({ token: `token-${++tokens}` });
    });
    expect(await askFilenameLength(service)).toEqual({ accepted: 40, rejected: 41 });
    expect(sent.filter(({ options }) => options.method === undefined)).toHaveLength(1);
  });

  it("is 0 if a rotation with a short one is rejected: the service may not know the field", async () => {
    const { service } = scriptedService(({ filename }) =>
      filename === undefined ? success({ token: "t" }) : rejected,
    );
    expect(await askFilenameLength(service)).toEqual({ accepted: 0, rejected: 1 });
  });
});

describe("the shortest name", () => {
  const namesFrom = (shortest: number, rejection: SeenPart = rejected) =>
    scriptedService(({ name }) => (String(name).length < shortest ? rejection : success({})));

  it.each([1, 2, 8])("is found: %d", async (shortest) => {
    const { service, sent } = namesFrom(shortest);
    expect(await askShortestName(service)).toBe(shortest);
    expect(sent).toHaveLength(shortest);
  });

  it("is not known if it has more than eight characters", async () => {
    const { service } = namesFrom(9);
    await expect(askShortestName(service)).rejects.toThrow("names of up to 8 characters were rejected");
  });

  it("is that of a name which another group has", async () => {
    const { service } = namesFrom(9, tooLong("taken"));
    service.takenName = { name: "ugm-abcdef 1", rejection: responseWith(tooLong("taken")) };
    expect(await askShortestName(service)).toBe(1);
  });
});

describe("the keys of an object", () => {
  const base = { mapping: { "40": "213" }, properties: { plan: "free" } };
  const keysOf = (body: JsonObject, field: ObjectField) => Object.keys(Object(body[field]));

  it.each<[ObjectField, number, string]>([
    ["mapping", 8, "too many"],
    ["properties", 50, "at most 50"],
    ["mapping", 2, "too many"],
  ])("in %s are %d at most", async (field, limit, message) => {
    const { service, sent } = scriptedService((body) =>
      keysOf(body, field).length > limit ? tooLong(message) : success({}),
    );
    service.base = base;
    expect(await askKeyCount(service, field)).toEqual({ accepted: limit, rejected: limit + 1 });
    expect(sent.length).toBeLessThanOrEqual(12);
  });

  it("have no limit if 120 are accepted, which takes one request", async () => {
    const { service, sent } = scriptedService(() => success({}));
    service.base = base;
    expect(await askKeyCount(service, "mapping")).toEqual({ accepted: 120, rejected: undefined });
    expect(sent).toHaveLength(1);
    expect(new Set(Object.values(Object(sent[0]?.body.mapping)))).toEqual(new Set(["213"]));
  });

  it("have no known limit if others than those of the sample are rejected", async () => {
    const { service } = scriptedService((body) =>
      keysOf(body, "mapping").join() === "40" ? success({}) : rejected,
    );
    service.base = base;
    await expect(askKeyCount(service, "mapping")).rejects.toThrow("two other keys were rejected as well");
    await expect(askWordAsKey(service)).rejects.toThrow("another number was rejected as well");
  });

  it.each([
    [true, () => true],
    [false, (key: string) => /^\d+$/.test(key)],
  ])("may be words: %s", async (areWordsAllowed, isAllowed) => {
    const { service } = scriptedService((body) =>
      keysOf(body, "mapping").every(isAllowed) ? success({}) : rejected,
    );
    service.base = base;
    expect(await askWordAsKey(service)).toBe(areWordsAllowed);
  });

  it("are not asked about words if the sample has some", async () => {
    const { service, sent } = scriptedService(() => rejected);
    service.base = { mapping: { sales: "213" } };
    await expect(askWordAsKey(service)).rejects.toThrow("the sample has other schema ids than numbers");
    expect(sent).toEqual([]);
  });
});

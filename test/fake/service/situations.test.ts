import { beforeAll, describe, expect, it } from "vitest";
import { assumptionOf, outcomesOf, valuesOf } from "../../../src/fake/contract/assumptions.js";
import { failures } from "../../../src/fake/contract/failures.js";
import {
  canReject,
  defaultOutcome,
  isSuccess,
  rowOf,
  type SituationId,
  situationIds,
  wordsOf,
} from "../../../src/fake/contract/situations.js";
import type { AssumptionChoice, KnownRejection, Mock, Profile } from "../../../src/index.js";
import { expectDone, meet, meetingOf, otherOutcomes, startWithTwoTeams } from "./meet-situation.js";
import { send } from "./send-request.js";

/** Every outcome of every situation that is not a rejection. */
const performed = situationIds.flatMap((id) => otherOutcomes(id).map((outcome) => [id, outcome] as const));
const rejecting = situationIds.filter(canReject);
const firstOfEachCode = rejecting.filter(
  (id) => rejecting.find((other) => rowOf(other).code === rowOf(id).code) === id,
);

const startKnowing = (situations: object) => startWithTwoTeams({ profile: { situations } as Profile });

describe("a situation that the profile has as rejected", () => {
  const response: KnownRejection = {
    status: 418,
    headers: { "X-Row": "{method} {path}", "WWW-Authenticate": null },
    body: { success: 0, wrong: "{field}" },
  };

  it.each(rejecting)("gets the response of the profile: %s", async (id) => {
    const { where, limit, within } = meetingOf(id);
    await using mock = await startKnowing({ ...where, [id]: { ...limit, ...response } });
    const { status, headers, json } = await meet(mock.url, id);
    const { cause, known } = await lastEntry(mock);
    const { code } = rowOf(id);
    expect([status, headers["usergroup-mock-situation"]]).toEqual([418, id]);
    expect(headers["x-row"]).toMatch(/^[A-Z]+ \/[/a-z]+$/);
    expect(headers).not.toHaveProperty("www-authenticate");
    if (id !== "HEAD") expect(json).toMatchObject({ success: 0 });
    expect([cause?.code, cause?.situation]).toEqual([code, id]);
    expect(known).toContain(id);
    if (within !== undefined) expect((await send(mock.url, within)).json.success).toBe(1);
  });

  it.each(firstOfEachCode)("gets the text of the profile: %s", async (id) => {
    const { where, limit } = meetingOf(id);
    await using mock = await startKnowing({ ...where, [id]: { ...limit, text: "<p>{method}</p>" } });
    const { status, headers, text } = await meet(mock.url, id);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(headers["content-security-policy"]).toBe("sandbox");
    expect(status).toBe(failures[rowOf(id).code ?? "internal"].status);
    if (id !== "HEAD") expect(text).toMatch(/^<p>[A-Z]+<\/p>$/);
  });
});

describe("a situation that the profile has with another outcome than rejected", () => {
  it.each(performed)("has that effect: %s, %s", async (id, outcome) => {
    const { where, does } = meetingOf(id);
    const word = rowOf(id).limit === undefined ? outcome : "accepted";
    await using mock = await startKnowing({ ...where, [id]: word });
    const response = await meet(mock.url, id);
    await expectDone(mock, response, expected(does, outcome));
    const { known } = await lastEntry(mock);
    if (!isUnseen(id, outcome)) expect(known).toContain(id);
    // What the service accepts can be exported and loaded again.
    await mock.load(await mock.state());
  });
});

describe("a situation that is set", () => {
  const settable = situationIds.flatMap((id) => wordsOf(id).map((word) => [id, word] as const));
  let mock: Mock;
  beforeAll(async () => {
    mock = await startWithTwoTeams({});
    return () => mock.stop();
  });

  it.each(settable)("has that effect, and the response names it: %s=%s", async (id, word) => {
    const { where, does } = meetingOf(id);
    await mock.reset();
    await mock.assume({ ...where, [id]: word } as AssumptionChoice);
    const response = await meet(mock.url, id);
    const { outcome, source } = await shown(mock, id);
    expect(source).toBe("set");
    if (outcome === "rejected") {
      const { code = "internal" } = rowOf(id);
      expect(response.headers["usergroup-mock-situation"]).toBe(id);
      expect(response.status).toBe(failures[code].status);
    } else await expectDone(mock, response, expected(does, outcome));
    // If there is no other outcome, it decides nothing.
    if (!isUnseen(id, outcome) && rowOf(id).outcomes.length > 1)
      expect(response.headers["usergroup-mock-assumed"]).toContain(nameOfDecision(id, outcome));
  });

  /** The assumption with the value that says this, or the situation itself. */
  function nameOfDecision(id: SituationId, outcome: string): string {
    const assumption = assumptionOf.get(id);
    if (assumption === undefined) return `${id}=${outcome}`;
    const says = (value: string) =>
      [...outcomesOf(assumption, value)].every(
        ([row, said]) => said === (row === id ? outcome : defaultOutcome(row)),
      );
    const value = valuesOf(assumption).find(says);
    return value === undefined ? `${id}=${outcome}` : `${assumption}=${value}`;
  }
});

describe("the response of a success that the profile has", () => {
  it.each(situationIds.filter(isSuccess))("adds to that of the mock: %s", async (id) => {
    await using mock = await startKnowing({
      [id]: {
        status: 202,
        headers: { Location: "/groups/{user_group_id}", "Cache-Control": null },
        body: { more: ["{name}"], user_group: { id: "{number}", mapping: "{mapping}" } },
      },
    });
    const { status, headers, json } = await meet(mock.url, id);
    const group = (await mock.groups()).findLast(({ name }) => name === json.user_group.name);
    expect([status, headers.location]).toEqual([202, `/groups/${group?.provided_id}`]);
    expect(headers).not.toHaveProperty("cache-control");
    expect(headers).not.toHaveProperty("usergroup-mock-situation");
    expect(json).toMatchObject({ success: 1, more: [group?.name] });
    expect(json.user_group).toMatchObject({ id: expect.any(Number), mapping: group?.mapping });
    expect((await lastEntry(mock)).known).toEqual([id]);
  });
});

describe("every response", () => {
  it("has its headers, but for a fault and for what the situation leaves out", async () => {
    await using mock = await startKnowing({
      "every response": { headers: { "X-Of": "all", "Cache-Control": null } },
      "too large": { headers: { "X-Of": null } },
    });
    for (const id of situationIds) {
      const { headers } = await meet(mock.url, id);
      expect([id, headers["x-of"]]).toEqual([id, id === "too large" ? undefined : "all"]);
      expect(headers).not.toHaveProperty("cache-control");
      await mock.reset();
    }
  });

  it("has no second header if a situation writes the name of one in another case", async () => {
    await using mock = await startKnowing({
      "every response": { headers: { "X-Of": "all", "X-Out": "all" } },
      "no API token": { status: 403, headers: { "x-of": "one", "x-out": null } },
    });
    const { headers } = await meet(mock.url, "no API token");
    expect(headers["x-of"]).toBe("one");
    expect(headers).not.toHaveProperty("x-out");
  });

  it("has no header of the profile, and no situation, if nothing of the service gave it", async () => {
    await using mock = await startKnowing({ "every response": { headers: { "X-Of": "all" } } });
    const fault = (more: object) => mock.fault({ status: 503, ...more });
    const lookUp = meetingOf("found").request;
    const responses = [
      await fault({}).then(() => meet(mock.url, "found")),
      await fault({ phase: "after" }).then(() => meet(mock.url, "name of another group")),
      await fault({ phase: "after" }).then(() => meet(mock.url, "current_token: unknown")),
      await send(mock.url, { ...lookUp, headers: { Host: "evil.test" } }),
      await send(mock.url, {
        ...lookUp,
        headers: { Origin: "https://evil.test", "Sec-Fetch-Site": "cross-site" },
      }),
      await send(mock.url, { ...lookUp, path: "/worlds/a%20b/api/user" }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([503, 503, 503, 403, 403, 404]);
    for (const { headers } of responses) {
      expect(headers).not.toHaveProperty("x-of");
      expect(headers).not.toHaveProperty("usergroup-mock-situation");
    }
  });

  it("is not among what is known of a response", async () => {
    await using mock = await startKnowing({ "every response": { headers: { "X-Of": "all" } } });
    await meet(mock.url, "found");
    expect((await lastEntry(mock)).known).toEqual([]);
  });
});

it("a form that is not UTF-8 is no form, also where forms are accepted", async () => {
  await using mock = await startKnowing({ "GET: form": "accepted" });
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const body = Buffer.from("user_group_id=\xff&name=A", "latin1");
  const sent = await send(mock.url, { headers, body });
  expect(sent.headers["usergroup-mock-situation"]).toBe("GET: broken JSON");
});

/** No request is looked at for what the schemas do not describe, where that makes no difference. */
function isUnseen(id: SituationId, outcome: string): boolean {
  const isLookedFor = rowOf(id).isBeyond !== true;
  return !isLookedFor && outcome === defaultOutcome(id);
}

function expected(does: ReturnType<typeof meetingOf>["does"], outcome: string) {
  const done = does[outcome];
  if (done === undefined) throw new Error(`there is no expectation for ${outcome}`);
  return done;
}

async function lastEntry(mock: Mock) {
  const entry = (await mock.requests()).at(-1);
  if (entry === undefined) throw new Error("the journal is empty");
  return entry;
}

async function shown(mock: Mock, id: SituationId) {
  const { json } = await send(mock.url, { path: "/__admin/assumptions" });
  // biome-ignore lint/suspicious/noExplicitAny: of the admin API.
  return json.situations.find(({ situation }: any) => situation === id);
}

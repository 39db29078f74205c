import { Agent } from "node:http";
import { describe, expect, it } from "vitest";
import { faultKinds, findKinds, kindNames } from "../../../../src/fake/contract/fault-kinds.js";
import type { FaultRequest } from "../../../../src/index.js";
import { getOrCreate, rotate } from "../../../call.js";
import { seededToken } from "../../../seeded.js";
import { ownWorld } from "../own-world.js";
import { type Watched, watchCreate, watchRotate } from "../watched-call.js";

/** Timers can fire a little early by another clock, in milliseconds. */
const early = 5;

const successBody = {
  success: 1,
  new_user_group: true,
  user_group: expect.objectContaining({ name: "new" }),
};

/** Each kind of fault, and what a client sees that creates the group `new`. */
const faults: [fault: FaultRequest, check: (seen: Watched) => void][] = [
  [
    { status: 503 },
    ({ status, text, headers, error }) => {
      expect([status, error]).toEqual([503, undefined]);
      expect(JSON.parse(text)).toEqual({
        success: 0,
        error: { code: "fault", message: "Fault 1 returned 503 for this request." },
      });
      expect(headers["usergroup-mock-request"]).toBe("1");
      expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    },
  ],
  [
    { status: 429, body: { retry: [1, null] } },
    ({ status, text }) => expect([status, JSON.parse(text)]).toEqual([429, { retry: [1, null] }]),
  ],
  [
    { status: 429, headers: { "Retry-After": "1", "X-Two": "é" } },
    ({ status, text, headers }) => {
      expect([status, headers["retry-after"], headers["x-two"]]).toEqual([429, "1", "é"]);
      expect(JSON.parse(text).error.code).toBe("fault");
    },
  ],
  [
    { status: 502, text: "<html>Bad gateway ü</html>" },
    ({ status, text, headers }) => {
      expect([status, text]).toEqual([502, "<html>Bad gateway ü</html>"]);
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    },
  ],
  [
    { status: 502, text: "upstream timed out" },
    ({ text, headers }) =>
      expect([text, headers["content-type"]]).toEqual(["upstream timed out", "text/plain; charset=utf-8"]),
  ],
  [
    { status: 502, text: "{", headers: { "content-type": "application/json" } },
    ({ text, headers }) => expect([text, headers["content-type"]]).toEqual(["{", "application/json"]),
  ],
  [
    { status: 503, delayMs: 60 },
    ({ status, ms }) => {
      expect(status).toBe(503);
      expect(ms).toBeGreaterThanOrEqual(60 - early);
    },
  ],
  [{ status: 400, body: null }, ({ status, text }) => expect([status, text]).toEqual([400, "null"])],
  [
    { delayMs: 120 },
    ({ status, text, ms }) => {
      expect([status, JSON.parse(text)]).toEqual([200, successBody]);
      expect(ms).toBeGreaterThanOrEqual(120 - early);
    },
  ],
  [{ reset: true }, ({ status, error }) => expect([status, error]).toEqual([undefined, "read ECONNRESET"])],
  [{ empty: true }, ({ status, error }) => expect([status, error]).toEqual([undefined, "socket hang up"])],
  [
    { truncate: true, phase: "after" },
    ({ status, headers, text, error }) => {
      const whole = Number(headers["content-length"]);
      expect([status, error]).toEqual([200, "aborted"]);
      expect(text.length).toBe(Math.floor(whole / 2));
      expect(text).toMatch(/^\{"success":1,"new_user_group":true/);
    },
  ],
  [
    { malformed: true },
    ({ status, headers, text, error }) => {
      expect([status, error]).toEqual([200, undefined]);
      expect(() => JSON.parse(text)).toThrowError(SyntaxError);
      expect(Number(headers["content-length"])).toBe(Buffer.byteLength(text));
    },
  ],
];

const letsThrough = (fault: FaultRequest) => findKinds(fault).some((kind) => faultKinds[kind].letsThrough);

describe("the table of fault kinds", () => {
  it("has a test in this file for every kind", () => {
    const tested = new Set(faults.flatMap(([fault]) => findKinds(fault)));
    // holds.test.ts has the tests of holds.
    expect([...tested, "hold"].sort()).toEqual([...kindNames].sort());
  });
});

describe("a fault", () => {
  const own = ownWorld();

  it.each(faults)("reaches the client once, and the next request succeeds: %j", async (fault, check) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await own.world.fault(fault);
    const seen = await watchCreate(own.world.url, "new", agent);
    check(seen);
    if (letsThrough(fault)) expect(JSON.parse(seen.text)).toEqual(successBody);
    const next = await watchCreate(own.world.url, "next", agent);
    agent.destroy();
    expect([next.status, JSON.parse(next.text).new_user_group]).toEqual([200, true]);
    expect(await own.world.faults()).toMatchObject([{ fired: 1, active: false }]);
  });

  const lossy = faults.map(([fault]) => fault).filter((fault) => !letsThrough(fault));

  it.each(lossy)("changes nothing in the world by default: %j", async (fault) => {
    const seed = await own.world.state();
    await own.world.fault({ ...fault, phase: "before", times: 2 });
    await watchRotate(own.world.url, seededToken);
    await watchCreate(own.world.url, "new");
    expect(await own.world.state()).toEqual(seed);
    expect((await rotate(own.world.url, seededToken)).status).toBe(200);
  });

  it.each(lossy)('hides the response of a performed operation with phase "after": %j', async (fault) => {
    await own.world.fault({ ...fault, phase: "after", times: 2 });
    const [rotated, created] = [
      await watchRotate(own.world.url, seededToken),
      await watchCreate(own.world.url, "new"),
    ];
    const { user_groups = [] } = await own.world.state();
    const token = user_groups.find(
      ({ provided_id, team_id }) => provided_id === "example_1" && team_id === 3,
    )?.token;
    expect(token).not.toBe(seededToken);
    expect(rotated.text + created.text).not.toContain(token);
    expect(user_groups.map(({ provided_id }) => provided_id)).toContain("new");
    const { status, body } = await rotate(own.world.url, seededToken);
    expect([status, body.error.message]).toEqual([
      404,
      expect.stringContaining("was rotated out by request 1"),
    ]);
    expect((await rotate(own.world.url, token ?? "")).status).toBe(200);
  });

  it.each<FaultRequest>([{ truncate: true }, { malformed: true }])(
    "looks like the beginning of a success, even if nothing was performed: %j",
    async (fault) => {
      await own.world.fault(fault);
      const { status, text } = await watchCreate(own.world.url, "new");
      expect([status, text]).toEqual([200, expect.stringMatching(/^\{"success":1,/)]);
    },
  );

  it.each<[phase: "before" | "after", whileWaiting: number]>([
    ["before", 5],
    ["after", 6],
  ])('with phase "%s" delays the operation or only its response', async (phase, whileWaiting) => {
    const delay = await own.world.fault({ delayMs: 60_000, phase });
    const pending = getOrCreate(own.world.url, { user_group_id: "new", name: "New" });
    await expect.poll(() => delay.fired()).toBe(1);
    expect((await own.world.health()).groups).toBe(whileWaiting);
    await delay.remove();
    expect((await pending).body.new_user_group).toBe(true);
    expect((await own.world.health()).groups).toBe(6);
  });
});

import { describe, expect, it } from "vitest";
import { create } from "../../call.js";
import { ownWorld } from "./own-world.js";
import { rejectionOf } from "./rejection.js";

/** All of C0 and C1, DEL, and what changes the direction or ends a line. */
const unsafe = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, code) => code + 0x7f),
  ...[0x061c, 0x200e, 0x200f, 0x2028, 0x2029],
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
].map((code) => String.fromCharCode(code));

/** C0 comes last: long values are cut, and JSON escapes C0 anyway. */
const id = unsafe
  .filter((character) => character !== "\0")
  .reverse()
  .join("");

/** The unsafe characters in a text, except line feeds between lines. */
const found = (text: string) => unsafe.filter((character) => character !== "\n" && text.includes(character));

describe("control characters of a request", () => {
  const own = ownWorld();

  it("are escaped in assertNoFailures() and below a failed test", async () => {
    await create(own.world.url, id, { mapping: { [id]: 1 } });
    const { message, details } = await rejectionOf(own.world.assertNoFailures());
    expect(message).toContain("\\u009b");
    expect(message.split("\n")).toHaveLength(2);
    expect(details.flatMap((detail) => found(detail.message))).toEqual([]);
    expect(found(message)).toEqual([]);
    expect(found(await own.world.describe())).toEqual([]);
  });

  it("are escaped in a wait timeout and in assertFaultsFired()", async () => {
    await create(own.world.url, id);
    const wait = await rejectionOf(
      own.world.waitForRequest({ match: { user_group_id: `${id}!` }, timeoutMs: 1 }),
    );
    expect(wait.message).toContain("\\u202e");
    expect(found(wait.message)).toEqual([]);
    await own.world.fault({ status: 503, match: { user_group_id: `${id}!` } });
    const fault = await rejectionOf(own.world.assertFaultsFired());
    expect(fault.message).toContain("\\u202e");
    expect(found(fault.message)).toEqual([]);
  });

  it("are escaped in the path of a problem", async () => {
    const fixture = { teams: [], user_groups: [], [id]: 1 };
    const { message } = await rejectionOf(own.world.load(fixture));
    expect(message).toContain("\\u2028");
    expect(found(message)).toEqual([]);
    expect(message.split("\n")).toHaveLength(2);
  });
});

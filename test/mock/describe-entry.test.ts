import { expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { describeEntry } from "../../src/mock/describe-entry.js";
import { create } from "../call.js";

it("describeEntry names the fault that a pending request waits in", async () => {
  await using mock = await startMock();
  const held = await mock.hold();
  const waiting = create(mock.url, "a");
  await held.arrived();
  const [entry = expect.fail()] = await mock.requests();
  expect(describeEntry(entry)).toBe(
    '#1 GET /api/user {"user_group_id":"a","name":"a"} → pending: it is waiting in fault 1',
  );
  expect(describeEntry({ ...entry, fault: null })).toMatch(/ → pending: it has no response yet$/);
  await held.release();
  await waiting;
});

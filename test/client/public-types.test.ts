import { describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { type FailureCode, failures } from "../../src/fake/contract/failures.js";
import { type FaultKind, kindNames } from "../../src/fake/contract/fault-kinds.js";
import { operationIds } from "../../src/fake/contract/operations.js";
import { type FaultRequest, MockError, type MockErrorCode } from "../../src/index.js";
import { rejectionOf } from "../fake/world/rejection.js";

describe("the types of the state", () => {
  it("let a fixture leave out optional fields only", async () => {
    await using mock = await startMock();
    await mock.load({ teams: [{ team_id: 9, api_tokens: ["nine"] }] });
    // @ts-expect-error: a group has a name
    const unnamed = mock.load({ user_groups: [{ team_id: 9, provided_id: "a" }] });
    expect((await rejectionOf(unnamed)).code).toBe("invalid_fixture");
  });
});

describe("the code of a MockError", () => {
  it("is a union of known codes", () => {
    const error = new MockError("group_exists", "This group exists.");
    const code: MockErrorCode = error.code;
    expect(code).toBe("group_exists");
    // @ts-expect-error: a misspelt code
    expect(error.code === "group_exist").toBe(false);
    // @ts-expect-error: no such code
    new MockError("invalid_opion", "This option cannot be used.");
  });

  it("includes every failure code of the server", () => {
    const codes: MockErrorCode[] = Object.keys(failures) as FailureCode[];
    expect(codes).toContain("unauthorized");
  });
});

describe("the types of a fault", () => {
  it("reject unknown fields and wrong values at compile time", async () => {
    await using mock = await startMock();
    const rejected = [
      // @ts-expect-error: no such field
      mock.fault({ status: 503, probability: 0.5 }),
      // @ts-expect-error: no such operation
      mock.fault({ operation: "rotat", status: 503 }),
      // @ts-expect-error: no request has such a field
      mock.fault({ match: { user_group: "a" }, status: 503 }),
      // @ts-expect-error: an id is text
      mock.fault({ match: { user_group_id: 5 }, status: 503 }),
      // @ts-expect-error: a hold has no status
      mock.hold({ status: 503 }),
      // @ts-expect-error: no kind
      mock.fault({ operation: "rotate" }),
      // @ts-expect-error: two kinds
      mock.fault({ status: 503, reset: true }),
      // @ts-expect-error: two kinds
      mock.fault({ empty: true, hold: true }),
      // @ts-expect-error: only a status has headers
      mock.fault({ reset: true, headers: { "Retry-After": "1" } }),
      // @ts-expect-error: a rotation has no such field
      mock.fault({ operation: "rotate", match: { user_group_id: "a" }, status: 503 }),
      // @ts-expect-error: a rotation has no such field
      mock.hold({ operation: "rotate", match: { user_group_id: "a" } }),
    ];
    for (const one of rejected) expect((await rejectionOf(one)).code).toBe("invalid_fault");
    expect(await mock.faults()).toEqual([]);
  });

  it("accept each kind, with or without a delay, for operations that are known only at run time", async () => {
    await using mock = await startMock();
    const kinds: Record<FaultKind, FaultRequest> = {
      status: { status: 503, headers: { "Retry-After": "1" }, body: { slow: "down" } },
      delayMs: { delayMs: 1 },
      reset: { reset: true },
      empty: { empty: true },
      truncate: { truncate: true },
      malformed: { malformed: true },
      hold: { hold: true },
    };
    for (const fault of Object.values(kinds)) await mock.fault({ ...fault, delayMs: 1 });
    for (const operation of operationIds) {
      await mock.fault({ operation, status: 503, delayMs: 1 });
      await mock.hold({ operation, delayMs: 1 });
    }
    await mock.hold({ operation: "rotate", match: { current_token: "a" } });
    expect(await mock.faults()).toHaveLength(kindNames.length + 2 * operationIds.length + 1);
  });

  it("reject a function where an object is expected", async () => {
    await using mock = await startMock();
    // @ts-expect-error: some mocks take a function here
    const { message } = await rejectionOf(mock.waitForRequest(() => true));
    expect(message).toContain("must be object");
  });
});

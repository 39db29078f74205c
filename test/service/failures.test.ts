import { describe, expect, it } from "vitest";
import { defaultAssumptions } from "../../src/contract/assumptions.js";
import { startMock } from "../../src/index.js";
import { Decisions } from "../../src/service/decisions.js";
import { type Failure, rejectWith } from "../../src/service/failures.js";
import { getOrCreate } from "../call.js";

const failure: Failure = { code: "not_found", message: "There is no such path." };

describe("the assumptions of a failure", () => {
  it("do not include failure-body if the response has no body", () => {
    const [shown, hidden] = [
      new Decisions(defaultAssumptions, new Set()),
      new Decisions(defaultAssumptions, new Set()),
    ];
    expect(rejectWith(failure, hidden, false)).toEqual(rejectWith(failure, shown, true));
    expect(shown.decided).toEqual(["failure-status", "failure-body"]);
    expect(hidden.decided).toEqual(["failure-status"]);
  });

  it("are named in the response of a fault too", async () => {
    await using mock = await startMock();
    await mock.fault({ status: 503 });
    const { headers } = await getOrCreate(mock.url, { user_group_id: "example_1" });
    expect(headers["usergroup-mock-assumed"]).toBe("failure-body=error-object");
  });
});

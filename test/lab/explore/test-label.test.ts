import { describe, expect, it } from "vitest";
import { failureChanges } from "../../../src/lab/explore/changes.js";
import { changeLabel, firstOf, labelList, requestLabel } from "../../../src/lab/explore/test-label.js";
import { ModelSuite, modelTests } from "./suite-model.js";

const { tests } = new ModelSuite(modelTests(2)).first.seen;
const changeOf = (request: string) =>
  failureChanges([request], ["lost"], tests)[0] ?? expect.fail("there is no change");

describe("a list of many items", () => {
  it("has five of them, and counts the others", () => {
    const items = ["a", "b", "c", "d", "e"];
    expect(firstOf(items)).toEqual(items);
    expect(firstOf([...items, "f"])).toEqual([...items, "and 1 more"]);
    expect(firstOf([...items, "f", "g"])).toEqual([...items, "and 2 more"]);
  });

  it("has tests of the same name and file once", () => {
    expect(labelList([...tests, ...tests])).toBe("t0 (t0.test.ts), t1 (t1.test.ts)");
  });
});

describe("a request", () => {
  it("is shown without the id of its test, which has a hash", () => {
    expect(requestLabel(changeOf("t0/rotate:acme#2"))).toBe("rotate:acme#2");
    expect(requestLabel(changeOf("w3/rotate:acme#2"))).toBe("w3/rotate:acme#2");
  });

  it("is shown with the name of its test and its failure, while it is tried", () => {
    expect(changeLabel(changeOf("t1/rotate:acme#2"))).toBe("t1: rotate:acme#2=lost");
    expect(changeLabel(changeOf("rotate:acme#2"))).toBe("rotate:acme#2=lost");
    const value = { name: "old-token=accepted", of: "old-token", to: "accepted" };
    expect(changeLabel(value)).toBe("old-token=accepted");
  });
});

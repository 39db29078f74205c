import { describe, expect, it } from "vitest";
import { plainText, readReport } from "../../src/report/report-data.js";
import { record, reportLines } from "../../src/report/report-lines.js";

describe("a report that is read", () => {
  it("has the fields of each response, and the items of its lists in their order", () => {
    const response = { a: 1, items: ["x", "y"], others: ["z"] };
    const lines = [...reportLines(record("w", "/a", response), { version: "1.2.3" }, [])].join("");
    const find = readReport(lines);
    expect(find("w", "/a")).toEqual(response);
    expect(find("v", "/a")).toBeUndefined();
    expect(find("", "")).toMatchObject({ version: "1.2.3", leftOut: [] });
  });

  it("has items that come before the fields of their response", () => {
    const [fields, ...items] = record("w", "/a", { a: 1, items: ["x"] });
    const parts = [...items, fields ?? expect.fail()];
    const find = readReport([...reportLines(parts, { version: "1.2.3" }, [])].join(""));
    expect(find("w", "/a")).toEqual({ a: 1, items: ["x"] });
  });
});

describe("the text of a body", () => {
  it.each([
    [null, null],
    [undefined, null],
    ["{ not JSON", "{ not JSON"],
    [{ a: [1] }, '{"a":[1]}'],
  ])("%j is %j", (body, text) => {
    expect(plainText(body)).toBe(text);
  });
});

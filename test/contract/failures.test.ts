import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { failures } from "../../src/contract/failures.js";
import { shippedSchemas } from "../../src/generated/shipped-schemas.js";

const src = new URL("../../src/", import.meta.url);
const listed = Object.keys(failures);

describe("the table of failures", () => {
  it("has exactly the codes of the schema of a failure", () => {
    const { code } = shippedSchemas["failure.response.json"].properties.error.properties;
    expect(listed.toSorted()).toEqual([...code.enum].sort());
  });

  it("has every code that service/ and http/ use", () => {
    const directories = ["service", "http"].flatMap((directory) =>
      readdirSync(new URL(directory, src)).map((name) => new URL(`${directory}/${name}`, src)),
    );
    const used = directories.flatMap((file) => {
      const code = readFileSync(file, "utf8");
      return [...code.matchAll(/(?:code(?:: | = [^;]*? )|MockError\()"([a-z_]+)"/g)].map(([, name]) => name);
    });
    expect(used).toContain("forbidden_origin");
    expect(used).toContain("unknown_token");
    // Only in the admin API.
    const onlyAdmin = new Set(["not_built", "invalid_assumption"]);
    expect(
      used.filter((code) => code !== undefined && !listed.includes(code) && !onlyAdmin.has(code)),
    ).toEqual([]);
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { failures } from "../../src/contract/failures.js";
import { shippedSchemas } from "../../src/generated/shipped-schemas.js";

const src = new URL("../../src/", import.meta.url);
const listed = Object.keys(failures);

describe("the table of failures", () => {
  it("has every code that the schema of a failure has, and no other", () => {
    const { code } = shippedSchemas["failure.response.json"].properties.error.properties;
    expect(listed.toSorted()).toEqual([...code.enum].sort());
  });

  it("has every code that the code of the service and its way in can answer", () => {
    const directories = ["service", "http"].flatMap((directory) =>
      readdirSync(new URL(directory, src)).map((name) => new URL(`${directory}/${name}`, src)),
    );
    const answered = directories.flatMap((file) => {
      const code = readFileSync(file, "utf8");
      return [...code.matchAll(/code(?:: | = [^;]*? )"([a-z_]+)"/g)].map(([, name]) => name);
    });
    expect(answered).toContain("forbidden_origin");
    expect(answered).toContain("unknown_token");
    // Of the admin API: a path that cannot be decoded, and an inspector that was not built.
    const onlyAdmin = new Set(["not_built"]);
    expect(
      answered.filter((code) => code !== undefined && !listed.includes(code) && !onlyAdmin.has(code)),
    ).toEqual([]);
  });
});

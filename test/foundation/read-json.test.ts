import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { rejectionOf } from "../fake/world/rejection.js";

describe("a file with broken JSON", () => {
  const broken = '{\n  "port": 0,\n  "seed": }\n';

  it.each(["config", "fixtures", "profile"])(
    "is rejected with the message of the parser, line and column, for the option %s",
    async (option) => {
      const file = join(mkdtempSync(join(tmpdir(), "usergroup-mock-broken-")), "broken.json");
      writeFileSync(file, broken);
      const { message } = await rejectionOf(startMock({ [option]: file }));
      expect(message).toContain(file);
      expect(message).toContain("Unexpected token '}' is not valid JSON (line 3, column 11)");
    },
  );
});

import assert from "node:assert";
import { describe, test } from "node:test";
import { useMock } from "usergroup-mock/node-test";
import { renew } from "./planted.cjs";

const mock = useMock();

describe("file b", () => {
  for (let n = 3; n < 6; n++) {
    test(`customer ${n}`, async () => {
      assert.match(await renew(mock, n), /^[0-9a-f]{64}$/);
    });
  }
});

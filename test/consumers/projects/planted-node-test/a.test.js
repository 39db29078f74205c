import assert from "node:assert";
import { describe, test } from "node:test";
import { useMock } from "usergroup-mock/node-test";
import { renew } from "./planted.cjs";

const mock = useMock();

describe("file a", () => {
  for (let n = 0; n < 3; n++) {
    test(`customer ${n}`, async () => {
      assert.match(await renew(mock, n), /^[0-9a-f]{64}$/);
    });
  }
});

const assert = require("node:assert/strict");
const { describe, it } = require("node:test");
const { useMock } = require("usergroup-mock/node-test");
const { getOrCreate } = require("./program.cjs");

const mock = useMock();

describe("tests that overlap", { concurrency: true }, () => {
  let arrived = 0;
  let allArrived;
  const meeting = new Promise((resolve) => {
    allArrived = resolve;
  });
  for (const name of ["one", "two"]) {
    it(name, async () => {
      if (++arrived === 2) allArrived();
      await meeting;
      assert.throws(() => mock.url, /Tests of this file overlap, .* mock\.world\("my-test"\)$/);
      const own = mock.world(name);
      const { body } = await getOrCreate(own.url, own.apiToken, { user_group_id: "same", name: "Same" });
      assert.equal(body.new_user_group, true);
    });
  }
});

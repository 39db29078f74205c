const assert = require("node:assert/strict");
const { getOrCreate } = require("./program.cjs");

const create = ({ url, apiToken }) => getOrCreate(url, apiToken, { user_group_id: "same", name: "Same" });

describe("a world", () => {
  for (const n of [1, 2]) {
    it(`is that of test ${n}`, async function () {
      assert.equal((await create(this.mock)).body.new_user_group, true);
    });
  }

  it("is printed when the test fails", async function () {
    assert.equal((await create(this.mock)).status, 201);
  });

  it("is printed after a wait that ends before the test times out", async function () {
    await create(this.mock);
    await this.mock.waitForRequest({ match: { user_group_id: "other" } });
  });

  describe("with a hook", () => {
    beforeEach(async function () {
      assert.equal((await create(this.mock)).status, 201);
    });
    it("is printed when the hook fails", () => {});
  });

  it("is printed when the test times out", async function () {
    this.timeout(500);
    await create(this.mock);
    await new Promise(() => {});
  });
});

const assert = require("node:assert/strict");
const { Then, When } = require("@cucumber/cucumber");
const { getOrCreate } = require("../program.cjs");

When("the program creates a group", async function () {
  const { url, apiToken } = this.mock;
  this.response = await getOrCreate(url, apiToken, { user_group_id: "same", name: "Same" });
});

Then("the service responds with {int} and a new group", function (status) {
  assert.deepEqual([this.response.status, this.response.body.new_user_group], [status, true]);
});

Then("a step times out", { timeout: 200 }, () => new Promise(() => {}));

// Tests whose truth is known, for every framework: what `explore --faults` may say about each.
const assert = require("node:assert");
const { hasty, sturdy } = require("./customers.cjs");

const tokenOf = ({ url, apiToken }) => sturdy(url, apiToken).tokenOf("acme");
let triesOfFirst = 0;

/** The last word of a title is the truth. A test that looks its group up afterwards must not make a break a recovery. */
exports.tests = {
  "the program gets through: survives": tokenOf,
  "the test counts requests: recovers": async (mock) => {
    await tokenOf(mock);
    assert.equal((await mock.requests()).length, 1);
  },
  "the program has no retries: breaks": async ({ url, apiToken }) => {
    const { status } = await hasty(url, apiToken).call("GET", { user_group_id: "acme", name: "Acme" });
    assert.equal(status, 200);
  },
  "the test arms a fault: absent": async (mock) => {
    await mock.fault({ status: 503 });
    await tokenOf(mock);
    assert.equal((await mock.requests()).length, 2);
  },
  "one of two that share a variable: survives": async (mock) => {
    await tokenOf(mock);
    triesOfFirst = (await mock.requests()).length;
  },
  "the other one: survives": async (mock) => {
    await tokenOf(mock);
    assert.equal(triesOfFirst, 1);
  },
  // Its request about the group `fragile` breaks.
  "fails at random: flaky": async (mock) => {
    await tokenOf(mock);
    const { call } = hasty(mock.url, mock.apiToken);
    assert.equal((await call("GET", { user_group_id: "fragile", name: "Fragile" })).status, 200);
    assert.ok(Math.random() >= Number(process.env.FLAKINESS ?? "0"), "bad luck");
  },
};

/** After each test. */
exports.lookUp = (mock) => tokenOf(mock);

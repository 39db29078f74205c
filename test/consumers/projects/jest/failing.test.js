const assert = require("node:assert");
const { useMock } = require("usergroup-mock/jest");
const { getOrCreate } = require("./program.cjs");

const mock = useMock({ assume: { "created-status": "201" } });
const group = { user_group_id: "failing", name: "Failing" };
jest.retryTimes(1);

afterEach(() => {
  if (expect.getState().currentTestName === "fails in a hook") throw new Error("on purpose");
});

const passes = () => expect(mock.url).toContain("http");
for (const run of [passes, passes]) test("passes", run);

describe("a block", () => {
  test("fails each time", async () => {
    const { status } = await getOrCreate(mock.url, mock.apiToken, group);
    expect(status).toBe(200);
  });
});

test("fails by an assertion of Node", async () => {
  const { status } = await getOrCreate(mock.url, mock.apiToken, group);
  assert.equal(status, 200);
});

test("fails by a timeout", async () => {
  await getOrCreate(mock.url, mock.apiToken, group);
  await new Promise(() => {});
}, 500);

let attempts = 0;
test("passes when it is tried again", async () => {
  attempts++;
  const { body } = await getOrCreate(mock.url, mock.apiToken, group);
  expect([attempts, body.new_user_group]).toEqual([2, true]);
});

test("fails in a hook", async () => {
  await getOrCreate(mock.url, mock.apiToken, group);
});

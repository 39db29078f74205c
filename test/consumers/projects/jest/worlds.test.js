const { useMock } = require("usergroup-mock/jest");
const { getOrCreate } = require("./program.cjs");

const mock = useMock({ assume: { "created-status": "201" } });
const create = () => getOrCreate(mock.url, mock.apiToken, { user_group_id: "same", name: "Same" });

beforeEach(() => mock.addGroup({ provided_id: "set-up", name: "Set-up" }));
afterEach(() => mock.assertNoFailures());

test.each([1, 2, 3])("has its own world after other tests %i", async () => {
  const { status, body } = await create();
  expect([status, body.new_user_group]).toEqual([201, true]);
  expect(await mock.requests()).toHaveLength(1);
  // The default one is always there.
  expect(await mock.worlds()).toHaveLength(2);
});

test("is not a promise, and can be printed", async () => {
  expect(await mock).toBe(mock);
  expect(JSON.stringify(mock)).toBe("{}");
});

test("gives up waiting before it times out", async () => {
  const held = await mock.hold();
  await expect(held.arrived()).rejects.toThrow(/held 0 of 1 request within [12]\d{3} ms/);
}, 3_000);

beforeAll(() => {
  expect(() => mock.url).toThrow("no test is running");
});

const { useMock } = require("usergroup-mock/jest");
const { getOrCreate } = require("./program.cjs");

const mock = useMock();

test.each(["one", "another"])("uses mock in %s serial test beside concurrent ones", async () => {
  const { body } = await getOrCreate(mock.url, mock.apiToken, { user_group_id: "same", name: "Same" });
  expect(body.new_user_group).toBe(true);
});

test.concurrent.each(["one", "two"])("concurrent %s", async (name) => {
  expect(() => mock.url).toThrow(/^Tests of this file overlap, .* mock\.world\("my-test"\)$/);
  const own = mock.world(name);
  const { body } = await getOrCreate(own.url, own.apiToken, { user_group_id: "same", name: "Same" });
  expect(body.new_user_group).toBe(true);
});

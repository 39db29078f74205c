const { startMock } = require("usergroup-mock");
const { getOrCreate } = require("./program.cjs");

let mock;
beforeAll(async () => {
  mock = await startMock();
});
beforeEach(() => mock.reset());
afterAll(() => mock.stop());

const group = { user_group_id: "jest", name: "Jest" };

test("a group is created once", async () => {
  const first = await getOrCreate(mock.url, mock.apiToken, group);
  const second = await getOrCreate(mock.url, mock.apiToken, group);
  expect(first).toEqual({
    status: 200,
    body: {
      success: 1,
      new_user_group: true,
      user_group: {
        team_id: 3,
        provided_id: "jest",
        name: "Jest",
        token: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    },
  });
  expect(second.body).toEqual({ ...first.body, new_user_group: false });
});

test("a reset removes the groups of the test before", async () => {
  const { body } = await getOrCreate(mock.url, mock.apiToken, group);
  expect(body.new_user_group).toBe(true);
});

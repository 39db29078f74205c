const { startMock } = require("usergroup-mock");
const { patient, sturdy } = require("./customers.cjs");

let mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.stop());

const token = /^[0-9a-f]{64}$/;

test.concurrent("a customer has a token", async () => {
  const { url, apiToken } = mock.world("patient");
  expect(await patient(url, apiToken).tokenOf("acme")).toMatch(token);
});

test.concurrent("a customer gets another token", async () => {
  const { url, apiToken } = mock.world("sturdy");
  const { tokenOf, renewToken } = sturdy(url, apiToken);
  expect(await renewToken("acme", await tokenOf("acme"))).toMatch(token);
});

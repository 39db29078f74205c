// Jest runs tests in their own realm: the Error, Array and Object of Node's modules are different ones.
const { gzipSync } = require("node:zlib");
const { MockError, startMock } = require("usergroup-mock");
const { send } = require("./program.cjs");

let mock;
beforeAll(async () => {
  mock = await startMock({ bodyLimit: 1000 });
});
afterAll(() => mock.stop());

test("the state is strictly equal to a fixture", async () => {
  const fixture = {
    teams: [{ team_id: 3, api_tokens: ["test-api-token"] }],
    user_groups: [
      { team_id: 3, provided_id: "a", name: "A", token: "0".repeat(64), mapping: {}, properties: {} },
    ],
  };
  await mock.load(fixture);
  expect(await mock.state()).toStrictEqual(fixture);
});

test("a rejection is a MockError and an Error", async () => {
  const rejected = await startMock({ prot: 1 }).catch((error) => error);
  expect(rejected).toBeInstanceOf(MockError);
  expect(rejected).toBeInstanceOf(Error);
  expect(rejected.message).toContain("port");
});

test("a missing fixture is rejected with its path", async () => {
  const rejected = await startMock({ fixtures: "absent.json" }).catch((error) => error);
  expect(rejected).toBeInstanceOf(MockError);
  expect(rejected.details).toEqual([
    { file: `${process.cwd()}/absent.json`, path: "", message: "there is no such file or folder" },
  ]);
});

test("a body that inflates beyond the limit is too large", async () => {
  const body = gzipSync(JSON.stringify({ user_group_id: "a", name: "a".repeat(5000) }));
  const headers = {
    Authorization: "Token test-api-token",
    "Content-Type": "application/json",
    "Content-Encoding": "gzip",
    "Content-Length": body.length,
  };
  const response = await send(`${mock.url}/api/user`, headers, body);
  expect(response.status).toBe(413);
  expect(response.body.error.code).toBe("payload_too_large");
});

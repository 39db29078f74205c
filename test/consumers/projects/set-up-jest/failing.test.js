const { useMock } = require("usergroup-mock/jest");
const { rotateToken } = require("./user-groups.cjs");

const mock = useMock({ assertFaultsFired: true, assertNoFailures: true });

test("fails without a request", () => {
  expect(1).toBe(2);
});

test("fails without mock", async () => {
  await rotateToken("unknown");
});

let kept;

test("has a fresh world, and keeps a token", async () => {
  expect(await mock.requests()).toHaveLength(0);
  ({ token: kept } = await mock.addGroup({ provided_id: "acme", name: "Acme" }));
});

test("ignores a failure", async () => {
  expect(mock.name).toBe("default");
  await mock.addGroup({ provided_id: "acme", name: "Acme" });
  await rotateToken(kept).catch(() => {});
});

test("arms a fault that does not fire", async () => {
  await mock.fault({ status: 503 });
});

test("fails without a request again", () => {
  expect(1).toBe(2);
});

const { useMock } = require("usergroup-mock/jest");
const { rotateToken } = require("./user-groups.cjs");

const mock = useMock({ assertFaultsFired: true, assertNoFailures: true });

test("fails without mock", async () => {
  await rotateToken("unknown");
});

test("begins afresh", async () => {
  expect(await mock.requests()).toHaveLength(0);
});

test("arms a fault in vain", async () => {
  await mock.fault({ status: 503 });
});

test("ignores a failure", async () => {
  expect(mock.name).toBe("default");
  await rotateToken("unknown").catch(() => {});
});

const { useMock } = require("usergroup-mock/jest");

const mock = useMock();
jest.retryTimes(1);

test("passes", () => {
  expect(mock.url).toContain("http");
});

describe("a block", () => {
  test("fails", () => {
    expect(mock.url).toBe("");
  });
});

let attempts = 0;
test("is retried", () => {
  expect([mock.url, ++attempts]).toContain(2);
});

test("passes", () => {
  expect(mock.url).toContain("http");
});

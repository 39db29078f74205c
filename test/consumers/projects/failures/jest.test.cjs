const { useMock } = require("usergroup-mock/jest");
const { cleanUp, failures, some } = require("./failures.cjs");

const mock = useMock();
afterEach(cleanUp);
const equal = (actual, expected) => expect(actual).toBe(expected);

for (const title of some) {
  test(title, async () => {
    await failures[title]({ mock, equal });
  }, 1_500);
}

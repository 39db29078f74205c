const { useMock } = require("usergroup-mock/jest");
const { renew } = require("./planted.cjs");

const mock = useMock();

describe("file b", () => {
  for (let n = 3; n < 6; n++) {
    test(`customer ${n}`, async () => {
      expect(await renew(mock, n)).toMatch(/^[0-9a-f]{64}$/);
    });
  }
});

const { useMock } = require("usergroup-mock/jest");
const { renew } = require("./planted.cjs");

const mock = useMock();

describe("file a", () => {
  for (let n = 0; n < 3; n++) {
    test(`customer ${n}`, async () => {
      expect(await renew(mock, n)).toMatch(/^[0-9a-f]{64}$/);
    });
  }
});

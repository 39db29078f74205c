const { afterEach, test } = require("node:test");
const { useMock } = require("usergroup-mock/node-test");
const { lookUp, tests } = require("./truths.cjs");

const mock = useMock();
afterEach(() => lookUp(mock));

for (const [title, run] of Object.entries(tests))
  test(title, (context) => context.test("a subtest", () => run(mock)));

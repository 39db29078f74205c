const { useMock } = require("usergroup-mock/jest");
const { lookUp, tests } = require("./truths.cjs");

const mock = useMock();
afterEach(() => lookUp(mock));

for (const [title, run] of Object.entries(tests)) test(title, () => run(mock), 20_000);

const { test } = require("usergroup-mock/playwright");
const { lookUp, tests } = require("./truths.cjs");

test.afterEach(({ mock }) => lookUp(mock));

for (const [title, run] of Object.entries(tests)) test(title, ({ mock }) => run(mock));

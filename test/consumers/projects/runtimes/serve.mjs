// A mock in whatever runtime runs this, for a test in another process.
import { startMock } from "usergroup-mock";

const mock = await startMock({ log: "json" });
console.log(`usergroup-mock listening on ${mock.url}`);

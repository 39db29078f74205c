import { describe, test } from "node:test";

const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

describe("at once", { concurrency: true }, () => {
  test("one", pause);
  test("another", pause);
});

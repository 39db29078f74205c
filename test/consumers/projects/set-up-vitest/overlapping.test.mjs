import { test } from "vitest";

const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

test.concurrent("one", pause);
test.concurrent("another", pause);

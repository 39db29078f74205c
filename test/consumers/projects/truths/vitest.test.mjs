import { test } from "usergroup-mock/vitest";
import { tests } from "./truths.cjs";

for (const [title, run] of Object.entries(tests)) test(title, ({ mock }) => run(mock), 20_000);

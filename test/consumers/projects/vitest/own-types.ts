import { it } from "usergroup-mock/vitest";

it("is the same as test", ({ mock }) => mock.assertNoFailures());

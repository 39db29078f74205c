import { expect, test } from "@jest/globals";
import { useMock } from "usergroup-mock/jest";
import { getOrCreate } from "./program.cjs";

const mock = useMock();

test("works in an ES module", async () => {
  const { body } = await getOrCreate(mock.url, mock.apiToken, { user_group_id: "module", name: "Module" });
  expect(body.new_user_group).toBe(true);
});

import { expect, test } from "vitest";
import { getOrCreate } from "../../program.cjs";

const { SHOP_URL, SHOP_TOKEN, SHOP_STATUS = "201" } = process.env;

test("creates a group", async () => {
  const group = { user_group_id: "shop", name: "Shop" };
  expect((await getOrCreate(SHOP_URL, SHOP_TOKEN, group)).status).toBe(Number(SHOP_STATUS));
});

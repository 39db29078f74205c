import { expect, test } from "vitest";
import { getOrCreate } from "../../program.cjs";

const { ORDERS_URL, ORDERS_TOKEN } = process.env;

test("creates a group", async () => {
  const group = { user_group_id: "orders", name: "Orders" };
  expect((await getOrCreate(ORDERS_URL, ORDERS_TOKEN, group)).status).toBe(200);
});

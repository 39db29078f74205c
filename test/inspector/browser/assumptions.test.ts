import { describe, expect, it } from "vitest";
import { getOrCreate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

describe("inspector assumptions", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("lists the questions with their values, and changes a value", async () => {
    const page = await inspector.open("#/assumptions");
    const question = page.getByRole("group", { name: /HTTP status when a group was created/ });
    expect(await question.getByRole("radio").count()).toBe(2);
    expect(await page.getByRole("group").count()).toBe((await inspector.mock.assumptions()).length);
    await question.getByLabel("201").check();
    await page.getByText("This world now assumes created-status=201.").waitFor();
    expect((await getOrCreate(url(), { user_group_id: "a", name: "A" })).status).toBe(201);
    await page.getByLabel("only assumptions that decided a request (1)").check();
    await expect.poll(() => page.getByRole("group").count()).toBe(1);
    await question.getByText("changed").waitFor();
  });

  it("shows changes of other clients", async () => {
    const page = await inspector.open("#/assumptions");
    await inspector.mock.assume({ "old-token": "accepted" });
    await page
      .getByRole("group", { name: /old-token/ })
      .getByText("changed")
      .waitFor();
  });
});

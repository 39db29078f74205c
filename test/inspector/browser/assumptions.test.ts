import { describe, expect, it } from "vitest";
import { create, getOrCreate, rotate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

describe("inspector assumptions", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("lists the questions with their values, and changes a value", async () => {
    const page = await inspector.open("#/assumptions");
    const question = page.getByRole("group", { name: /HTTP status when a group is created/ });
    expect(await question.getByRole("radio").count()).toBe(2);
    expect(await page.getByRole("group").count()).toBe((await inspector.mock.assumptions()).length);
    await question.getByLabel("201").check();
    await page.getByText("This world now assumes created-status=201.").waitFor();
    expect((await getOrCreate(url(), { user_group_id: "a", name: "A" })).status).toBe(201);
    await page.getByLabel("only assumptions that decided a response (1)").check();
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

  it("scrolls to the assumption that a link names, and links to the requests that it decided", async () => {
    const { token } = (await create(url(), "acme")).body.user_group;
    await rotate(url(), token);
    await rotate(url(), token);
    const page = await inspector.open("#/assumptions/old-token");
    const target = page.locator(".target");
    await expect.poll(() => target.locator("code").first().textContent()).toBe("old-token");
    const { height = 0 } = page.viewportSize() ?? {};
    await expect.poll(async () => (await target.boundingBox())?.y).toBeLessThan(height);
    expect((await target.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await target.getByRole("link", { name: "1 request" }).click();
    await expect
      .poll(() => page.getByRole("listitem").allInnerTexts())
      .toEqual([expect.stringMatching(/^#3\b/)]);
  });
});

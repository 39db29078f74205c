import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { create, rotate } from "../../call.js";
import { clicksIn, untilHeld, useInspector } from "../use-inspector.js";

describe("the five jobs of the inspector", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  /** Two rotations of one token at the same time. Only one of them succeeds. */
  async function race(): Promise<void> {
    const { token } = (await create(url(), "acme")).body.user_group;
    await inspector.mock.fault({ operation: "rotate", hold: true, times: 2 });
    const first = rotate(url(), token);
    await untilHeld(inspector.mock, 1);
    const second = rotate(url(), token);
    await untilHeld(inspector.mock, 2);
    await inspector.mock.clearFaults();
    await Promise.all([first, second]);
  }

  it("a report shows why its test failed, without a click", async () => {
    const { token } = (await create(url(), "acme")).body.user_group;
    await rotate(url(), token);
    await rotate(url(), token);
    const page = await inspector.openReport(inspector.mock, {
      title: "rotates the key twice",
      file: "groups.test.js",
      framework: "vitest",
      error: { message: "rotation failed: 404 unknown_token", stack: `at ${resolve("groups.test.js")}:11:3` },
    });
    await page.getByRole("heading", { name: "rotates the key twice" }).waitFor();
    const verdict = page.getByRole("region", { name: "Verdict" });
    await verdict.getByText("groups.test.js:11").waitFor();
    await verdict.getByText("rotation failed: 404 unknown_token").waitFor();
    await verdict
      .getByText(/Likely cause: #3 sent a stale token ← #2 rotated it.*Use the group's latest token\./)
      .waitFor();
    const detail = page.getByRole("article", { name: "Request 3" });
    await detail.getByRole("region", { name: "Response" }).getByText('"unknown_token"').waitFor();
    expect(await clicksIn(page)).toBe(0);
  });

  it("shows what a program sent and what came back after one click", async () => {
    await create(url(), "acme", { mapping: { 40: "213" } });
    const page = await inspector.open();
    await page.getByRole("link", { name: /^#1 200 get-or-create acme created/ }).click();
    const detail = page.getByRole("article", { name: "Request 1" });
    const request = detail.getByRole("region", { name: "Request", exact: true });
    await request.getByText(`GET ${url()}/api/user`).waitFor();
    await request.getByText("authorization").waitFor();
    expect(await request.locator("pre").textContent()).toBe(
      '{\n  "user_group_id": "acme",\n  "name": "acme",\n  "mapping": {\n    "40": "213"\n  }\n}',
    );
    const response = detail.getByRole("region", { name: "Response" });
    await response.getByText('"new_user_group"').waitFor();
    const [left, right] = [await request.boundingBox(), await response.boundingBox()];
    expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0) - 1);
    expect(await clicksIn(page)).toBe(1);
  });

  it("shows which of two requests won a race, and after one click what the other one got", async () => {
    await race();
    const page = await inspector.open();
    const rows = page.getByRole("region", { name: "Requests" }).getByRole("listitem");
    await expect.poll(() => rows.count()).toBe(3);
    const texts = await rows.allInnerTexts();
    const winner = texts.find((text) => text.includes("rotated")) ?? "";
    const loser = texts.find((text) => text.includes("lost a race")) ?? "";
    const [winnerId, loserId] = [winner, loser].map((text) => /#(\d)/.exec(text)?.[1]);
    await page.getByRole("link", { name: `#${loserId} ` }).click();
    const detail = page.getByRole("article", { name: `Request ${loserId}` });
    const sentence = `#${winnerId} and #${loserId} rotated the same token at once; #${winnerId} won`;
    await detail.getByText(sentence).waitFor();
    const life = detail.getByRole("region", { name: "Life of the group" }).getByRole("listitem");
    expect(await life.allInnerTexts()).toEqual([
      "created #1",
      `rotated #${winnerId}`,
      `lost a race #${loserId}`,
    ]);
    expect(await clicksIn(page)).toBe(1);
    await detail
      .getByRole("link", { name: `#${winnerId}`, exact: true })
      .first()
      .click();
    await page
      .getByRole("article", { name: `Request ${winnerId}` })
      .getByText(sentence)
      .waitFor();
  });

  it("lets the next rotation fail after two clicks, and a third one removes the fault", async () => {
    const { token } = (await create(url(), "acme")).body.user_group;
    const page = await inspector.open();
    await page.getByRole("button", { name: "Fail next" }).click();
    await page.getByRole("button", { name: "rotation → 503" }).click();
    const chip = page.getByRole("status", { name: "Armed faults" });
    await chip.getByText("rotate → 503").waitFor();
    expect(await clicksIn(page)).toBe(2);
    expect((await rotate(url(), token)).status).toBe(503);
    await chip.getByText("fired → #2").waitFor();
    // It has fired, so it is not armed any more.
    await chip.getByText("rotate → 503").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Fail next" }).click();
    await page.getByRole("button", { name: "rotation → response lost" }).click();
    await chip.getByRole("button", { name: "Remove fault 2" }).click();
    await chip.getByText("response lost").waitFor({ state: "detached" });
    expect((await rotate(url(), token)).status).toBe(200);
  });

  it("shows what is in the mock after one click, and resets it after another one", async () => {
    await create(url(), "acme", { properties: { region: "EU" } });
    const page = await inspector.open();
    await page.getByRole("tab", { name: "Groups 1" }).click();
    const row = page.getByRole("row", { name: /^acme/ });
    await row.getByText('{"region":"EU"}').waitFor();
    await row.getByText("created #1").waitFor();
    expect(await clicksIn(page)).toBe(1);
    await page.getByRole("button", { name: "Reset" }).click();
    await row.waitFor({ state: "detached" });
    expect(await clicksIn(page)).toBe(2);
    expect((await inspector.mock.groups()).some(({ provided_id }) => provided_id === "acme")).toBe(false);
    const tests = page.getByRole("region", { name: "Tests" });
    await tests.getByRole("link", { name: /1 request · before a reset/ }).click();
    await page.getByRole("link", { name: /^#1 200 get-or-create acme/ }).waitFor();
  });
});

import { describe, expect, it } from "vitest";
import { create, rotate } from "../../call.js";
import { untilHeld, useInspector } from "../use-inspector.js";

describe("the inspector follows the mock", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("asks only whether something has changed while nothing does, and for nothing while it is hidden", async () => {
    await create(url(), "acme");
    await (await inspector.newContext({})).clock.install();
    const page = await inspector.open("#/requests/1");
    await page.getByRole("article", { name: "Request 1" }).getByText('"acme"').first().waitFor();
    const paths: string[] = [];
    page.on("request", (request) => paths.push(new URL(request.url()).pathname));
    await expect.poll(() => paths.length).toBeGreaterThan(3);
    expect(new Set(paths)).toEqual(new Set(["/__admin/health"]));
    const show = (state: string) =>
      page.evaluate(
        `Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
         document.dispatchEvent(new Event("visibilitychange"))`,
      );
    await show("hidden");
    const whenHidden = paths.length;
    await create(url(), "globex");
    await page.clock.runFor(5_000);
    expect(paths.length).toBe(whenHidden);
    await show("visible");
    await page.getByRole("link", { name: /^#2 200 get/ }).waitFor();
  });

  it("shows a request within a second, and only asks for new and waiting ones", async () => {
    const { token } = (await create(url(), "acme")).body.user_group;
    const page = await inspector.open();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const began = Date.now();
    await create(url(), "globex");
    await page.getByRole("link", { name: /^#2 200 get-or-create globex/ }).waitFor();
    // Machines are noisy.
    expect(Date.now() - began).toBeLessThan(2_000);
    expect(asked.filter((one) => one.includes("/requests"))).toEqual([
      `${url()}/__admin/requests?epoch=1&after=1`,
    ]);
    await inspector.mock.hold({ operation: "rotate" });
    const held = rotate(url(), token);
    await untilHeld(inspector.mock, 1);
    await page.getByRole("link", { name: /^#3 waiting rotate acme/ }).waitFor();
    await create(url(), "initech");
    await inspector.mock.clearFaults();
    await held;
    await page.getByRole("link", { name: /^#3 200 rotate acme/ }).waitFor();
    await page.getByRole("tab", { name: "Requests 4" }).waitFor();
    await inspector.mock.clearRequests();
    await create(url(), "umbrella");
    await page.getByRole("tab", { name: "Requests 1" }).waitFor();
    await page.getByRole("link", { name: /^#5 200 get-or-create umbrella/ }).waitFor();
  });
});

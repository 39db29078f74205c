import { describe, expect, it } from "vitest";
import { getOrCreate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

describe("sending a request from the inspector", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("works in an empty world with the example", async () => {
    const page = await inspector.open();
    await page.getByRole("button", { name: "Send this request" }).click();
    const entry = page.getByRole("article", { name: "Request 1" });
    await entry.getByText("sent by the inspector").waitFor();
    await entry.getByText("created", { exact: true }).waitFor();
  });

  it("repeats a request unchanged or edited", async () => {
    const text = '{"user_group_id": "acme", "name": "Acme", "properties": {"n": 1.0}}';
    await getOrCreate(url(), text, { headers: { "X-Trace": "seven" } });
    const page = await inspector.open("#/requests/1");
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByRole("article", { name: "Request 2" }).getByText("found", { exact: true }).waitFor();
    const [first, second] = await inspector.mock.requests();
    expect(second?.request.headers["x-trace"]).toBe("seven");
    expect(second?.request.body).toEqual(first?.request.body);
    await page.getByRole("link", { name: "Edit and send" }).click();
    const form = page.getByRole("article", { name: "Send a request" });
    await expect.poll(() => form.getByLabel("Body").inputValue()).toBe(text);
    await form.getByLabel("Body").fill('{"user_group_id": "other", "name": "Other"}');
    await form.getByRole("button", { name: "Send" }).click();
    await page.getByRole("article", { name: "Request 3" }).getByText("created", { exact: true }).waitFor();
  });

  it("adds no default headers that the form does not have", async () => {
    const page = await inspector.open("#/requests?send");
    const form = page.getByRole("article", { name: "Send a request" });
    await form.getByLabel("Headers").fill("");
    await form.getByRole("button", { name: "Send" }).click();
    await page.getByRole("article", { name: "Request 1" }).getByText("unauthorized").first().waitFor();
  });

  it("reports an invalid header and an invalid path", async () => {
    const page = await inspector.open("#/requests?send");
    const lines = page.getByLabel("Headers");
    const before = await lines.inputValue();
    await lines.fill("not a header");
    await page.getByRole("article").getByRole("button", { name: "Send" }).click();
    await page.getByText("Invalid header.").waitFor();
    await lines.fill(before);
    await page.getByLabel("Path").fill("api");
    await page.getByRole("article").getByRole("button", { name: "Send" }).click();
    await page.getByText("/path must be a path of the service, such as /api/user").waitFor();
    await expect.poll(() => inspector.pageErrors).toEqual([expect.stringContaining("400")]);
    inspector.pageErrors.length = 0;
  });
});

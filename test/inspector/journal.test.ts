import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect, it, type TestContext } from "vitest";
import { exchange } from "../../src/foundation/exchange.js";
import { getOrCreate, rotate } from "../call.js";
import { needs } from "../needs.js";
import { seededToken } from "../seeded.js";
import { inspect } from "./inspected.js";

const inShell = async (context: TestContext, command: string) => {
  needs(context, "curl");
  const { stdout } = await promisify(execFile)("sh", ["-c", command.replace("curl ", "curl --silent ")]);
  return stdout;
};

describe("the journal of the inspector", () => {
  const inspected = inspect();
  const url = () => inspected.mock.url;

  it("says in an empty world what to do, with a call that works when it is copied", async (context) => {
    const world = inspected.mock.world("w3");
    const page = await inspected.open("", world);
    await page.getByText("No request has reached the world w3 yet").waitFor();
    await page.getByRole("button", { name: "Copy the request" }).click();
    await page.getByText("Copied the request.").waitFor();
    const answer = JSON.parse(await inShell(context, await inspected.copied(page)));
    expect(answer).toMatchObject({ success: 1, user_group: { provided_id: "my-group" } });
    await page.getByRole("link", { name: /my-group/ }).waitFor();
    expect(await world.requests()).toHaveLength(1);
  });

  it("shows calls as they happen, newest first, with operation, group, outcome and cause", async () => {
    const page = await inspected.open();
    const { body } = await getOrCreate(url(), { user_group_id: "a", name: "A" });
    await rotate(url(), body.user_group.token);
    await rotate(url(), body.user_group.token);
    const rows = page.getByRole("listitem");
    await expect.poll(() => rows.count()).toBe(3);
    const texts = (await rows.allInnerTexts()).map((text) => text.split("\n").slice(0, 5).join(" "));
    expect(texts[0]).toMatch(/^#3 404 rotate a current_token was rotated out by request 2$/);
    expect(texts[1]).toMatch(/^#2 200 rotate a was rotated$/);
    expect(texts[2]).toMatch(/^#1 200 get-or-create a new ?was created$/);
  });

  it("shows request and response side by side, with headers, cause and what was assumed", async () => {
    await getOrCreate(url(), { user_group_id: "a", name: 5 });
    const page = await inspected.open();
    await page.getByRole("link", { name: "#1" }).click();
    const entry = page.getByRole("article", { name: "Request 1" });
    await entry.getByText("/name must be string").first().waitFor();
    const request = entry.getByRole("region", { name: "Request", exact: true });
    expect(await request.getByRole("region", { name: "Request body" }).textContent()).toBe(
      '{\n  "user_group_id": "a",\n  "name": 5\n}',
    );
    expect(await request.locator(".key").allInnerTexts()).toEqual(['"user_group_id"', '"name"']);
    expect(await request.locator(".number").allInnerTexts()).toEqual(["5"]);
    await request.getByText(/\d headers/).click();
    await request.getByText("Token test-api-token").waitFor();
    const response = entry.getByRole("region", { name: "Response", exact: true });
    const [left, right] = await Promise.all([request.boundingBox(), response.boundingBox()]);
    expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0) - 1);
    expect(Math.abs((right?.y ?? 0) - (left?.y ?? 99))).toBeLessThan(1);
    await entry.getByRole("region", { name: "Assumed" }).getByText("failure-status=by-kind").waitFor();
  });

  it("leads from a cause to the request that it names", async () => {
    await rotate(url(), seededToken);
    await rotate(url(), seededToken);
    const page = await inspected.open("#/requests/2");
    await page.getByRole("region", { name: "Why" }).getByRole("link", { name: "request 1" }).click();
    await page.getByRole("article", { name: "Request 1" }).waitFor();
  });

  it.for<[string, string, string, unknown, Record<string, string>]>([
    ["a success", "GET", "/api/user", { user_group_id: "a b'c", name: 'é "q" $HOME `x`' }, {}],
    ["a failure", "GET", "/api/user?x=[1]", { user_group_id: "a", name: 5 }, {}],
    ["a body that is no JSON", "GET", "/api/user", '{"user_group_id": 9007199254740993,\n', {}],
    ["a body that is JSON but text", "GET", "/api/user", '"text"', {}],
    ["another type", "POST", "/api/user", "current_token=5", { "Content-Type": "text/plain" }],
    ["no API token", "GET", "/api/user", { user_group_id: "a" }, { Authorization: "" }],
    ["a path that is none", "DELETE", "/api/../x", undefined, {}],
  ])(
    "copies %s as a curl command that gives the same answer",
    async ([, method, path, body, headers], context) => {
      const { mock } = inspected;
      const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
      // Not with supertest: the path is sent as it is, and a URL object would have changed it.
      const first = await exchange(new URL(mock.url), {
        method,
        path,
        text,
        maxBytes: 1_000_000,
        headers: {
          Authorization: "Token test-api-token",
          ...(text !== undefined && {
            "Content-Type": "application/json",
            "Content-Length": Buffer.byteLength(text),
          }),
          ...headers,
        },
      });
      const page = await inspected.open("#/requests/1");
      await page.getByRole("article", { name: "Request 1" }).waitFor();
      await page.getByRole("button", { name: "Copy as curl" }).click();
      await page.getByText("Copied as curl").waitFor();
      const command = await inspected.copied(page);
      await mock.reset();
      const again = await inShell(context, `${command} --write-out '\\n%{http_code}'`);
      const [answer = "", status] = again.split(/\n(?=\d+$)/);
      expect([Number(status), JSON.parse(answer)]).toEqual([first.status, JSON.parse(first.text)]);
      if (first.status === 200) {
        const [sent] = await mock.requests();
        expect(sent?.request.body).toEqual(body);
      }
    },
  );

  it("puts an API token of the world in the place of a masked one, and says so", async () => {
    await inspected.mock.assume({ "api-tokens": "any" });
    await getOrCreate(url(), { user_group_id: "a", name: "A" }, { apiToken: "of-production" });
    const page = await inspected.open("#/requests/1");
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await page.getByText("test-api-token is used instead").waitFor();
    expect(await page.content()).not.toContain("of-production");
    const command = await inspected.copied(page);
    expect(command).toContain("authorization: Token test-api-token");
  });

  it("leaves the mask in the place of a token that was refused, so that it is refused again", async (context) => {
    await getOrCreate(url(), { user_group_id: "a", name: "A" }, { apiToken: "of-production" });
    const page = await inspected.open("#/requests/1");
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await page.getByText("It was refused, and so is the mask").waitFor();
    const answer = JSON.parse(await inShell(context, await inspected.copied(page)));
    expect(answer.error.code).toBe("unauthorized");
  });

  it("opens the entry of a link that was copied, and says it when there is none", async () => {
    await getOrCreate(url(), { user_group_id: "a", name: "A" });
    const page = await inspected.open("#/requests/1");
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Copied the link.").waitFor();
    const link = await inspected.copied(page);
    expect(link).toBe(`${url()}/__admin/#/requests/1?epoch=1`);
    const other = await page.context().newPage();
    await other.goto(link);
    const whole = other.getByRole("article", { name: "Request 1" });
    // Only when it has all of the entry: what it would still ask for is gone after the reset.
    await whole.getByRole("button", { name: "Copy as curl", disabled: false }).waitFor();
    await other.goto(`${url()}/__admin/#/requests/7`);
    await other.getByText("Request 7 is not in the journal").waitFor();
  });

  it("filters by text, operation and outcome, in the address too", async () => {
    await getOrCreate(url(), { user_group_id: "apple", name: "A" });
    await getOrCreate(url(), { user_group_id: "pear", name: "P" });
    await rotate(url(), "nobody's");
    const page = await inspected.open();
    const rows = page.getByRole("listitem");
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByLabel("Filter requests").fill("pear");
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining("pear")]);
    await page.reload();
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining("pear")]);
    await page.getByLabel("Filter requests").fill("");
    await page.getByLabel("Operation").selectOption("rotate");
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining("#3")]);
    await page.getByLabel("Operation").selectOption("all operations");
    await page.getByText("success 2").click();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByText("pending 0").click();
    await page.getByText("None of 3 requests matches").waitFor();
  });

  it("shows nothing new while it is paused, and everything afterwards", async () => {
    await getOrCreate(url(), { user_group_id: "a", name: "A" });
    const page = await inspected.open();
    await page.getByRole("button", { name: "Pause" }).click();
    await getOrCreate(url(), { user_group_id: "b", name: "B" });
    await page.getByRole("button", { name: "Resume (1 new)" }).waitFor();
    expect(await page.getByRole("listitem").count()).toBe(1);
    await page.getByRole("button", { name: "Resume (1 new)" }).click();
    await expect.poll(() => page.getByRole("listitem").count()).toBe(2);
  });

  it("downloads the journal as HAR", async () => {
    await getOrCreate(url(), { user_group_id: "a", name: "A" });
    const page = await inspected.open();
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download HAR" }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe("usergroup-mock-default.har");
    const har = JSON.parse(await readFile(await download.path(), "utf8"));
    expect(har).toEqual(await inspected.mock.har());
  });

  it("forgets the calls once it was asked twice", async () => {
    await getOrCreate(url(), { user_group_id: "a", name: "A" });
    const page = await inspected.open();
    await page.getByRole("button", { name: "Clear" }).click();
    expect(await inspected.mock.requests()).toHaveLength(1);
    await page.getByRole("button", { name: "Sure?" }).click();
    await page.getByText("No request has reached").waitFor();
    expect(await inspected.mock.requests()).toHaveLength(0);
  });
});

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished, type TestContext } from "vitest";
import { exchange } from "../../../src/foundation/exchange.js";
import { create, getOrCreate, rotate } from "../../call.js";
import { needs } from "../../needs.js";
import { useInspector } from "../use-inspector.js";

const inShell = async (context: TestContext, command: string) => {
  needs(context, "curl");
  const { stdout } = await promisify(execFile)("sh", ["-c", command.replace("curl ", "curl --silent ")]);
  return stdout;
};

describe("requests copied from the inspector", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("are offered in an empty world as a curl command that works", async (context) => {
    const world = inspector.mock.world("w3");
    const page = await inspector.open("", world);
    await page.getByText("No request has reached the world w3 yet").waitFor();
    await page.getByRole("button", { name: "Copy the request" }).click();
    await page.getByText("Copied the request.").waitFor();
    const response = JSON.parse(await inShell(context, await inspector.copied(page)));
    expect(response).toMatchObject({ success: 1, user_group: { provided_id: "my-group" } });
    await page.getByRole("link", { name: /my-group/ }).waitFor();
    expect(await world.requests()).toHaveLength(1);
  });

  it.for<[string, string, string, unknown, Record<string, string>]>([
    ["a success", "GET", "/api/user", { user_group_id: "a b'c", name: 'é "q" $HOME `x`' }, {}],
    ["a failure", "GET", "/api/user?x=[1]", { user_group_id: "a", name: 5 }, {}],
    ["an invalid JSON body", "GET", "/api/user", '{"user_group_id": 9007199254740993,\n', {}],
    ["a JSON string as body", "GET", "/api/user", '"text"', {}],
    ["another content type", "POST", "/api/user", "current_token=5", { "Content-Type": "text/plain" }],
    ["no API token", "GET", "/api/user", { user_group_id: "a" }, { Authorization: "" }],
    ["an unknown path", "DELETE", "/api/../x", undefined, {}],
  ])("get the same response as a curl command: %s", async ([, method, path, body, headers], context) => {
    const { mock } = inspector;
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    // supertest would normalize the path.
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
    const page = await inspector.open("#/requests/1");
    await page.getByRole("article", { name: "Request 1" }).waitFor();
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await page.getByText("Copied as curl").waitFor();
    const command = await inspector.copied(page);
    await mock.reset();
    const again = await inShell(context, `${command} --write-out '\\n%{http_code}'`);
    const [response = "", status] = again.split(/\n(?=\d+$)/);
    expect([Number(status), JSON.parse(response)]).toEqual([first.status, JSON.parse(first.text)]);
    if (first.status === 200) {
      const [sent] = await mock.requests();
      expect(sent?.request.body).toEqual(body);
    }
  });

  it("use an API token of the world instead of a masked one", async () => {
    await inspector.mock.assume({ "api-tokens": "any" });
    await getOrCreate(url(), { user_group_id: "a", name: "A" }, { apiToken: "of-production" });
    const page = await inspector.open("#/requests/1");
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await page.getByText("test-api-token is used instead").waitFor();
    expect(await page.content()).not.toContain("of-production");
    const command = await inspector.copied(page);
    expect(command).toContain("authorization: Token test-api-token");
  });

  it("keep the mask of a rejected API token, so that it is rejected again", async (context) => {
    await getOrCreate(url(), { user_group_id: "a", name: "A" }, { apiToken: "of-production" });
    const page = await inspector.open("#/requests/1");
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await page.getByText("The mock will reject the mask").waitFor();
    const response = JSON.parse(await inShell(context, await inspector.copied(page)));
    expect(response.error.code).toBe("unauthorized");
  });

  it("run as JavaScript and send the same request", async () => {
    const { body: first } = await create(url(), "it's `7` \\ \" 😀");
    const page = await inspector.open("#/requests/1");
    await page.getByRole("button", { name: "Copy as JavaScript" }).click();
    await page.getByText("Copied as JavaScript").waitFor();
    const { stdout } = await runModule(await inspector.copied(page));
    expect(stdout).toMatch(/^200 /);
    const [, again] = await inspector.mock.requests();
    expect(again?.request.body).toEqual({
      user_group_id: first.user_group.provided_id,
      name: first.user_group.name,
    });
  });

  it("run as lines of a test", async () => {
    await create(url(), "acme", { mapping: { "40": "213", "odd key": "x" } });
    const page = await inspector.open("#/requests/1");
    await page.getByRole("button", { name: "Copy as test" }).click();
    await page.getByText("Copied lines for a test").waitFor();
    const lines = await inspector.copied(page);
    const program = `import { connectMock } from ${JSON.stringify(new URL("../../../dist/esm/index.js", import.meta.url).href)};
      const mock = await connectMock(${JSON.stringify(url())});\n${lines}`;
    expect((await runModule(program)).code).toBe(0);
    expect((await create(url(), "acme", { mapping: { "40": "213", "odd key": "x" } })).status).toBe(503);
  });

  it.each([
    ["400", () => create(url(), "acme", { name: 7 })],
    ["401", () => getOrCreate(url(), { user_group_id: "acme", name: "Acme" }, { apiToken: "unknown" })],
  ] as const)("include no fault in a test if the request cannot match one: %s", async (status, send) => {
    expect((await send()).status).toBe(Number(status));
    const page = await inspector.open("#/requests/1");
    await page.getByRole("button", { name: "Copy as test" }).click();
    await page.getByText("Copied lines for a test").waitFor();
    const lines = await inspector.copied(page);
    expect(lines).toContain("No fault can match this request");
    expect(lines).not.toContain("mock.fault(");
    const program = `import { connectMock } from ${JSON.stringify(new URL("../../../dist/esm/index.js", import.meta.url).href)};
      const mock = await connectMock(${JSON.stringify(url())});\n${lines}`;
    expect((await runModule(program)).code).toBe(0);
  });

  it("are confirmed with a message that ends with one full stop", async () => {
    const apiToken = "production-token";
    await rotate(url(), "stale", { apiToken, headers: { "X-Token": apiToken } });
    const page = await inspector.open("#/requests/1");
    await page.getByRole("button", { name: "Copy as curl" }).click();
    const message = page.locator(".toast");
    await message.waitFor();
    expect(await message.textContent()).toMatch(/^Copied as curl\. .*[^.]\.$/);
    expect(await message.textContent()).not.toContain("..");
  });

  /** Runs a program from a file in node_modules, so that it can import our packages. */
  async function runModule(program: string): Promise<{ code: number; stdout: string }> {
    const folder = await mkdtemp(
      join(fileURLToPath(new URL("../../../node_modules/", import.meta.url)), ".copied-"),
    );
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "program.mjs"), program);
    const child = spawn(process.execPath, [join(folder, "program.mjs")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    const [code] = await once(child, "close");
    return { code, stdout: Buffer.concat(chunks).toString() };
  }
});

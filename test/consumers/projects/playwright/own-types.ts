import { defineConfig } from "@playwright/test";
import { test } from "usergroup-mock/playwright";
import { mockServers } from "usergroup-mock/playwright/setup";

test("mock is beside the fixtures of Playwright", async ({ mock, page }, { title }) => {
  await page.goto(`${mock.url}/${title}`);
});

const [mock] = mockServers({ workers: 2, port: 4010 });
const app = { command: "node my-app.js", url: "http://127.0.0.1:3000", env: mock.env };
defineConfig({ webServer: [mock.webServer, app] });

// @ts-expect-error: no such option
mockServers({ prot: 4010 });

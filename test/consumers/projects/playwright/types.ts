import { defineConfig, expect } from "@playwright/test";
import { test, testWith } from "usergroup-mock/playwright";
import { mockServers } from "usergroup-mock/playwright/setup";

test("mock is a world, in addition to the fixtures of Playwright", async ({ mock, page }, { title }) => {
  await page.goto(`${mock.url}/${title}`);
  const { user_groups } = await mock.state();
  const tokens: string[] = user_groups.map(({ token }) => token);
  expect(tokens.length).toBeGreaterThan(0);
  // @ts-expect-error: no such method
  mock.resett();
});

testWith({ assume: { "old-token": "accepted" } }).only("with options", async ({ mock }) => {
  await mock.assertNoFailures();
});

// @ts-expect-error: no such option
testWith({ prot: 4010 });

// @ts-expect-error: no such value
testWith({ assume: { "old-token": "maybe" } });

testWith({ assertFaultsFired: true, assertNoFailures: false });

// @ts-expect-error: not a boolean
testWith({ assertFaultsFired: "yes" });

const [mock] = mockServers({ workers: 2, port: 4010 });
const webServer = [
  mock.webServer,
  { command: "node my-app.js", url: "http://127.0.0.1:3000", env: mock.env },
];
defineConfig({ webServer });

// @ts-expect-error: no such option
mockServers({ prot: 4010 });

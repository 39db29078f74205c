import { defineConfig } from "@playwright/test";

// biome-ignore lint/style/noDefaultExport: Playwright reads the default export.
export default defineConfig({
  globalSetup: "./global-setup.js",
  workers: 2,
  fullyParallel: true,
  timeout: 5_000,
  reporter: "line",
});

import { defineConfig } from "@playwright/test";

// biome-ignore lint/style/noDefaultExport: Playwright reads the default export.
export default defineConfig({ workers: 2, timeout: 20_000, reporter: "line" });

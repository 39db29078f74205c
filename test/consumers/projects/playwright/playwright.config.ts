import { defineConfig } from "@playwright/test";

export default defineConfig({ globalSetup: "./global-setup.ts", workers: 1, reporter: "line" });

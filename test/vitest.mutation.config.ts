import { defineConfig } from "vitest/config";

/** The tests that mutants have to get past: those that take no other process and little time. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: [
      "contract/*.test.ts",
      "http/*.test.ts",
      "model/*.test.ts",
      "service/*.test.ts",
      "world/*.test.ts",
      "mock/worlds-api.test.ts",
    ],
    exclude: ["http/clients.test.ts", "http/time-outs.test.ts", "world/flood.test.ts"],
    testTimeout: 10_000,
  },
});

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "usergroup-mock",
          root: import.meta.dirname,
          include: ["**/*.test.ts"],
          exclude: ["consumers/**"],
          testTimeout: 15_000,
        },
      },
      {
        // Packs and installs the package as users do; npm and other runtimes take their time.
        test: {
          name: "consumers",
          root: import.meta.dirname,
          include: ["consumers/*.test.ts"],
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "usergroup-mock",
          root: import.meta.dirname,
          include: ["**/*.test.ts"],
          exclude: ["consumers/**", "inspector/**"],
          testTimeout: 15_000,
          // What a poll waits for comes at once, unless the machine is busy.
          expect: { poll: { timeout: 10_000 } },
          // One project after the other: npm and a browser at work beside them would make the quick tests slow.
          sequence: { groupOrder: 0 },
        },
      },
      {
        // A real browser against the real server; it takes what the build made.
        test: {
          name: "inspector",
          root: import.meta.dirname,
          include: ["inspector/*.test.ts"],
          globalSetup: ["inspector/browser-setup.ts"],
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
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
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default { test: { testTimeout: 4_000, maxWorkers: 2 } };

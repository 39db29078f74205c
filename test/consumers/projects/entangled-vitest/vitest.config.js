// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default { test: { testTimeout: 20_000, maxWorkers: 2 } };

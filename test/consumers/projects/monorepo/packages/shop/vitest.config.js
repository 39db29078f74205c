// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default { test: { setupFiles: ["usergroup-mock/vitest/setup"] } };

// The process that soak.mjs loads: a mock, as it is built, that tells of its memory and handles when asked.

// Not a plain import: tsc would follow it into what is built.
const { startMock } = await import(new URL("../../dist/esm/index.js", import.meta.url).href);

const mock = await startMock({ maxWorlds: 1_000 });
process.on("message", async (what) => {
  if (what === "stop") {
    await mock.stop();
    process.disconnect();
    return;
  }
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rss, heap: heapUsed, handles: process.getActiveResourcesInfo().length });
});
process.send?.({ url: mock.url });

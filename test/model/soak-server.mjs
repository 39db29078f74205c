// The mock of soak.mjs, from the build. It reports its memory and handles on request.

// A dynamic import, because tsc would follow a static one into dist/.
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

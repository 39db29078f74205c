import { startMock } from "usergroup-mock";

// biome-ignore lint/style/noDefaultExport: Playwright calls the default export.
export default async function startForAllWorkers() {
  const mock = await startMock();
  process.env.USERGROUP_MOCK_URL = mock.url;
  return () => mock.stop();
}

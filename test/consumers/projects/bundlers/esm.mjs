import { startMock } from "usergroup-mock";

startMock().then(async (mock) => {
  const { status } = await mock.health();
  const page = await fetch(`${mock.url}/__admin/`);
  console.log(`health ${status}, inspector ${page.status}: ${(await page.text()).slice(0, 100)}`);
  await mock.stop();
});

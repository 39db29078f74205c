import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFixtures } from "../../../src/client/read-files.js";
import { loadSchemas } from "../../../src/fake/contract/schemas.js";
import { createApp } from "../../../src/fake/server/app.js";
import type { RequestParts } from "../../../src/fake/server/service-request.js";
import { buildSeed } from "../../../src/fake/service/seed.js";
import { Worlds } from "../../../src/fake/world/worlds.js";
import { defaultBehaviour } from "../../default-behaviour.js";

interface OwnParts extends Pick<RequestParts, "log" | "run"> {
  readonly worldsClass?: typeof Worlds;
}

export interface ServedApp {
  readonly url: string;
  readonly worlds: Worlds;
  readonly close: () => void;
}

/** An app that listens, without what `startServer` adds: a test can replace its worlds, its run and its log. */
export async function serveApp({ worldsClass = Worlds, ...own }: OwnParts): Promise<ServedApp> {
  const schemas = await loadSchemas();
  const seed = buildSeed(await readFixtures([], defaultBehaviour), "fixed");
  const worlds = new worldsClass({
    seed,
    behaviour: defaultBehaviour,
    schemas,
    version: "0",
    journalSize: 9,
  });
  const { handle, classes } = await createApp({
    ...own,
    worlds,
    bodyLimit: 1_000,
    report: () => [],
    describe: () => "",
    readPage: () => "",
    host: "127.0.0.1",
    allowHost: [],
    adminToken: undefined,
  });
  const server = createServer(classes, handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, worlds, close: () => void server.close() };
}

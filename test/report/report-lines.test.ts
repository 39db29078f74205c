import { expect, it } from "vitest";
import { startServer } from "../../src/client/start-server.js";
import { resolveOptions } from "../../src/options/resolve-options.js";
import { recordWorlds } from "../../src/report/report-lines.js";
import { create } from "../call.js";

it("a report has the groups of requests before those of the seed, which are the first that do not fit", async () => {
  const server = await startServer(await resolveOptions([], "embedded"));
  try {
    await create(server.url, "zzz");
    const lines = [...recordWorlds(server, server.url)].join("").split("\n");
    const groups = lines.map((line) => JSON.parse(line)).filter(({ list }) => list === "groups");
    expect(groups.map(({ value }) => value.seeded)).toEqual([false, ...groups.slice(1).map(() => true)]);
    expect(groups[0].value.provided_id).toBe("zzz");
  } finally {
    await server.stop();
  }
});

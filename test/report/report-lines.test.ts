import { describe, expect, it } from "vitest";
import { controlServer } from "../../src/client/control-server.js";
import { type StartedServer, startServer } from "../../src/client/start-server.js";
import { resolveOptions } from "../../src/options/resolve-options.js";
import type { AboutReport, ReportLine } from "../../src/report/report-data.js";
import { type ReportPart, recordWorlds, reportLines } from "../../src/report/report-lines.js";
import { create } from "../call.js";

const parse = (text: string): ReportLine[] => text.split("\n").map((line) => JSON.parse(line));

async function withServer(action: (server: StartedServer) => Promise<void>): Promise<void> {
  const server = await startServer(await resolveOptions([], "embedded"));
  try {
    await action(server);
  } finally {
    await server.stop();
  }
}

const recorded = (server: StartedServer) => parse([...recordWorlds(server, server.url)].join(""));

describe("a report has what is most important first, because the rest may not fit:", () => {
  it("groups of requests before those of the seed", () =>
    withServer(async (server) => {
      await create(server.url, "zzz");
      const groups = recorded(server)
        .filter(({ list }) => list === "groups")
        .map(({ value }) => value as { readonly seeded: boolean; readonly provided_id: string });
      expect(groups.map(({ seeded }) => seeded)).toEqual([false, ...groups.slice(1).map(() => true)]);
      expect(groups[0]?.provided_id).toBe("zzz");
    }));

  it("worlds in use, then earlier tests, then dropped worlds", () =>
    withServer(async (server) => {
      const mock = controlServer(server);
      const [used, dropped] = [mock.world("used"), mock.world("dropped")];
      await create(dropped.url, "a");
      await dropped.drop();
      await create(used.url, "a");
      await used.reset();
      await create(used.url, "b");
      const journals = recorded(server).filter(({ of, list }) => of === "requests" && list === undefined);
      const order = journals.map(({ world, target }) => `${world}${/epoch=\d/.exec(target)?.[0]}`);
      expect(order.filter((place) => !place.startsWith("default"))).toEqual([
        "usedepoch=2",
        "usedepoch=1",
        "droppedepoch=1",
      ]);
    }));
});

it("a report has the URL of each world, and its requests newest first, because the oldest may not fit", () =>
  withServer(async (server) => {
    for (const id of ["a", "b"]) await create(`${server.url}/worlds/w`, id);
    const ofWorld = recorded(server).filter(({ world }) => world === "w");
    expect(ofWorld.filter(({ target }) => target === "")).toMatchObject([
      { value: { url: `${server.url}/worlds/w` } },
    ]);
    const requests = ofWorld.filter(({ list }) => list === "requests");
    expect(requests.map(({ value }) => (value as { readonly id: number }).id)).toEqual([2, 1]);
  }));

describe("a report that is too large", () => {
  const about = { version: "1.2.3" };
  const write = (parts: readonly ReportPart[]) => {
    const leftOut: string[] = [];
    const lines = parse([...reportLines(parts, about, leftOut)].join(""));
    return { leftOut, lines: lines.slice(0, -1), about: lines.at(-1)?.value as AboutReport };
  };
  const text = (millions: number) => "x".repeat(millions * 1_000_000);
  const place = { world: "w", target: "/a" };
  const requestOf = (millions: number): ReportPart => {
    return { ...place, of: "requests", list: "requests", read: () => text(millions) };
  };

  it("leaves out what does not fit, and counts it", () => {
    const faultOf = (millions: number) => ({ ...place, list: "faults", read: () => text(millions) });
    const parts = [requestOf(15), requestOf(6), requestOf(6), faultOf(13), requestOf(0.1), faultOf(0.1)];
    const { lines, leftOut, about } = write(parts);
    expect(lines.map(({ list, value }) => [list, String(value).length])).toEqual([
      ["requests", 15_000_000],
      ["requests", 100_000],
      ["faults", 100_000],
    ]);
    expect(leftOut).toEqual([
      "The report is limited to about 32 MB. It does not include 2 requests, 1 fault.",
    ]);
    expect(about.leftOut).toEqual(leftOut);
  });

  it("does not count the exact texts of bodies, which the journal has too", () => {
    const { lines, leftOut } = write([{ ...place, of: "texts", read: () => text(21) }, requestOf(1)]);
    expect([lines.length, leftOut]).toEqual([1, []]);
  });

  it("has the fields of every response", () => {
    const fields: ReportPart = { ...place, of: "requests", read: () => ({ dropped: 0 }) };
    const { lines, leftOut } = write([requestOf(19.995), requestOf(0.1), fields]);
    expect([lines.length, leftOut.length]).toEqual([2, 1]);
    expect(lines[1]?.value).toEqual({ dropped: 0 });
  });
});

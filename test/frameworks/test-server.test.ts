import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestServer } from "../../src/frameworks/test-server.js";
import { startMock } from "../../src/mock/start-mock.js";
import { getOrCreate } from "../call.js";

describe("the server of a test file", () => {
  let file: TestServer;
  beforeEach(async () => {
    file = new TestServer({});
    await file.start();
  });
  afterEach(() => file.stop());

  it("gives two tests of the same name different worlds, and each the same world in the next run", async () => {
    const namesOf = async (run: TestServer) => {
      const worlds = [];
      for (const id of [run.newId("some.test.ts", "rotates"), run.newId("some.test.ts", "rotates")]) {
        worlds.push((await run.enter("rotates", id)).world.name);
      }
      return worlds;
    };
    const [first, second] = await namesOf(file);
    expect(second).not.toBe(first);
    const nextRun = new TestServer({});
    await nextRun.start();
    expect(await namesOf(nextRun)).toEqual([first, second]);
    await nextRun.stop();
  });

  it("marks both of two tests that overlap, the earlier one too", async () => {
    const earlier = await file.enter("earlier", file.newId("some.test.ts", "earlier"));
    const later = await file.enter("later", file.newId("some.test.ts", "later"));
    expect(() => file.mock.url).toThrow("Tests of this file overlap");
    expect(file.leave(later)).toBe(false);
    expect(file.leave(earlier)).toBe(false);
  });

  it("does not mark tests that run one after the other", async () => {
    for (const name of ["earlier", "later"]) {
      const world = await file.enter(name, file.newId("some.test.ts", name));
      expect(file.mock.url).toBe(world.world.url);
      expect(file.leave(world)).toBe(true);
    }
  });
});

describe("the server of a set-up", () => {
  it("gives every test the world default, as a fresh one, and keeps it", async () => {
    await using mock = await startMock();
    const server = new TestServer({}, mock);
    for (const name of ["earlier", "later"]) {
      const test = await server.enter(name, name);
      expect([test.world.url, (await server.mock.requests()).length]).toEqual([mock.url, 0]);
      await getOrCreate(mock.url, { user_group_id: "a", name: "A" });
      server.leave(test);
      await test.drop();
    }
    expect(await mock.history()).toMatchObject([{ label: "earlier", requests: 1 }]);
    expect(await mock.requests()).toHaveLength(1);
  });

  it("refuses a test that begins while another one runs, and leaves the other one alone", async () => {
    await using mock = await startMock();
    const server = new TestServer({}, mock);
    const test = await server.enter("earlier", "earlier");
    await getOrCreate(mock.url, { user_group_id: "a", name: "A" });
    await expect(server.enter("later", "later")).rejects.toThrow("Tests of this worker overlap");
    expect(await server.mock.requests()).toHaveLength(1);
    expect(server.leave(test)).toBe(true);
  });
});

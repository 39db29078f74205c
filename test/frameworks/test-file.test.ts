import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestFile } from "../../src/frameworks/test-file.js";

describe("the server of a test file", () => {
  let file: TestFile;
  beforeEach(async () => {
    file = new TestFile("some.test.ts");
    await file.start({});
  });
  afterEach(() => file.stop());

  it("gives two tests of the same name different worlds, and each the same world in the next run", async () => {
    const namesOf = async (run: TestFile) => {
      const worlds = [];
      for (const id of [run.newId("rotates"), run.newId("rotates")]) {
        worlds.push((await run.enter("rotates", id)).name);
      }
      return worlds;
    };
    const [first, second] = await namesOf(file);
    expect(second).not.toBe(first);
    const nextRun = new TestFile("some.test.ts");
    await nextRun.start({});
    expect(await namesOf(nextRun)).toEqual([first, second]);
    await nextRun.stop();
  });

  it("marks both of two tests that overlap, the earlier one too", async () => {
    const earlier = await file.enter("earlier", file.newId("earlier"));
    const later = await file.enter("later", file.newId("later"));
    expect(() => file.mock.url).toThrow("Tests of this file overlap");
    expect(file.leave(later)).toBe(false);
    expect(file.leave(earlier)).toBe(false);
  });

  it("does not mark tests that run one after the other", async () => {
    for (const name of ["earlier", "later"]) {
      const world = await file.enter(name, file.newId(name));
      expect(file.mock.url).toBe(world.url);
      expect(file.leave(world)).toBe(true);
    }
  });
});

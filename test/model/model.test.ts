import { Agent } from "node:http";
import fc from "fast-check";
import { afterAll, describe, it } from "vitest";
import { ownMock } from "../fake/world/own-world.js";
import { draws } from "../long.js";
import { Model, type Real } from "./command.js";
import { commands } from "./commands.js";
import { lookEverywhere, seedOf } from "./look.js";

/**
 * More runs: MODEL_RUNS=5000. To repeat a failed run, set MODEL_SEED, MODEL_PATH and MODEL_REPLAY to the values that the
 * failure prints (seed, path, replayPath).
 */
const runs = Number(process.env.MODEL_RUNS ?? draws(12, 3_000));
const { MODEL_SEED, MODEL_PATH, MODEL_REPLAY } = process.env;
const replay = {
  ...(MODEL_SEED !== undefined && { seed: Number(MODEL_SEED) }),
  ...(MODEL_PATH !== undefined && { path: MODEL_PATH }),
};

const own = ownMock();
const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

describe("the mock", () => {
  it("matches the reference model after random commands", async () => {
    const real: Real = { url: own.mock.url, agent };
    const seed = seedOf(await own.mock.state());
    await fc.assert(
      fc.asyncProperty(
        fc.commands(commands, {
          size: "+1",
          ...(MODEL_REPLAY !== undefined && { replayPath: MODEL_REPLAY }),
        }),
        async (chosen) => {
          for (const { name } of await own.mock.worlds()) await own.mock.world(name).drop();
          const model = new Model(seed);
          await fc.asyncModelRun(() => ({ model, real }), chosen);
          await lookEverywhere(model, real);
        },
      ),
      { numRuns: runs, ...replay },
    );
  });
});

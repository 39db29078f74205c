import { describe, expect, it } from "vitest";
import { measure } from "./services/measure.mjs";
import { services, whyMissing } from "./services/services.mjs";

/**
 * What the profile of verify must reach at least: figures of today with room for a few requests, so that only a step
 * back fails. Measure with `node test/stacks/services/measure.mjs express hapi koa`, and raise them when it got better.
 */
const bounds = [
  { name: "express", falsePasses: 1, correct: 0.98, mistakes: 0.92 },
  { name: "hapi", falsePasses: 1, correct: 0.98, mistakes: 0.92 },
  { name: "koa", falsePasses: 1, correct: 0.98, mistakes: 0.92 },
];

describe("a mock with the profile that verify learned from a service of another author", () => {
  it.for(bounds)("behaves like it: $name", async ({ name, falsePasses, correct, mistakes }, context) => {
    const service = services.find((one) => one.name === name);
    if (service === undefined) throw new Error(`There is no service ${name}.`);
    const reason = await whyMissing(service, { install: true });
    if (reason !== undefined) context.skip(reason);
    const { figures } = await measure(service, { seed: 1 });
    const shown = JSON.stringify(figures);
    expect(figures.all.falsePasses, shown).toBeLessThanOrEqual(falsePasses);
    expect(figures.correct.alike / figures.correct.of, shown).toBeGreaterThanOrEqual(correct);
    expect(figures.mistake.alike / figures.mistake.of, shown).toBeGreaterThanOrEqual(mistakes);
  });
});

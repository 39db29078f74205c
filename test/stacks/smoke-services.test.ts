import { expect, it } from "vitest";
import { countOf } from "./services/compare.mjs";
import { measure } from "./services/measure.mjs";
import { findServices, prepare } from "./services/services.mjs";

/** Services of Node that need no registry, so that this runs wherever Node does. */
const names = ["node-http"];

it.for(names)("a mock with the profile that verify learned behaves like the service: %s", async (name) => {
  const service = findServices().find((one) => one.name === name);
  if (service === undefined) throw new Error(`There is no service ${name}.`);
  expect(await prepare(service, { install: false })).toBeUndefined();
  const { learned, parts } = await measure(service, { seed: "1" });
  for (const part of [parts.script, parts.walk]) {
    const figures = countOf(part);
    // Only a step back fails: node test/stacks/services/measure.mjs has the figures.
    expect(figures.shape / figures.of, JSON.stringify(figures)).toBeGreaterThanOrEqual(0.9);
  }
  expect(learned?.restarted.exitCode).toBe(0);
  expect(learned?.again.exitCode).toBe(0);
});
